"""The constants of the ranking, each with its origin.

Fitted together on LoCoMo (Maharana et al., ACL 2024), conversations 26, 30 and 41, and BEAM,
chats 1 to 5; rounded; reported on the others (``python -m benchmarks.retrieval``).
"""

from __future__ import annotations

# Own score: BM25 (Robertson and Zaragoza 2009, doi:10.1561/1500000019) of the words present,
# divided by the sum of the question's idf, so that it means the same in every store.
BM25_K1 = 0.9
BM25_B = 0.5

# A thread as one document, with the usual constants.
THREAD = 0.3
THREAD_K1 = 1.2
THREAD_B = 0.75

# Shares of the own scores of the rows one before, one after, two before and two after in the same
# thread: what a person says is about what was said around it. The user of an assistant goes on by
# himself; an assistant's reply inherits nothing from the question before it, which it would outrank.
INHERITED = (
    (0.4, 0.4, 0.3, 0.2),  # a person, or where no role is told
    (0.2, 0.4, 0.1, 0.2),  # the user of an assistant
    (0.0, 0.0, 0.0, 0.0),  # an assistant, a tool
)
# Longer rows of persons than this, in words, inherit less: they say what they are about.
LONG = 60
# Share of a person's own score of the row before, when that row asks: this one answers.
BEFORE_QUESTION = 0.5
# A row that asks seldom holds the answer, unless a user asks an assistant; the one that opens a
# thread often brings the news.
ASKS = -0.1
OPENING = 0.1
# Shares by which candidates are chosen, before their roles are known.
NEXT_TO = (0.4, 0.3)

# The row's speaker is the one person that the question names; or the first of several.
PARTICIPANT = 0.5
SUBJECT = 0.1
# The question is about whoever asks, and the row is the user's.
ASKER = 0.1
# The question asks for help, and the user states a standing wish about one of its words.
WISH = 0.3
# The question asks what "you" said, and the row is the assistant's.
REPLY = 0.3
# The question names the subject of a fact.
FACT_SUBJECT = 0.15
# What a fact gains beside turns and episodes, as a multiple of its score: it has no thread that
# could lend it any. On LoCoMo with its observations stored as facts, one is the most that lifts
# the first place and costs nothing among the first five or ten.
STANDS_ALONE = 1.0

# What an episode loses of the share of a word that its details alone hold: its tags and its summary
# say what it is about.
DETAILS = 0.5

# The cosine of a row's best passage with the question, by a model of sentences.
MEANING = 0.3

# The question names a date: whole inside it, fading over the days after (people tell what
# happened), a little just before (people tell what they plan). Of a day counted from now
# ("yesterday"), what was said inside and holds the words gains it once more: who says it means it.
DATE = 0.6
DATE_DECAY_DAYS = 10
# A list of the rows of some days is looked for among what was said so many before: what was planned.
DATE_AHEAD_DAYS = 14
# The question asks for a time, and the row holds an expression of time.
WHEN = 0.25

# How much work one recall may do, whatever the size of the store: timed at a million rows
# (``--scale 1m``). KEPT and ANCHORS trade finding for time. Against 100 and 20, on the
# conversations not used for fitting, 80 and 12 find the turn as often (R@5 76.0 both, R@10 82.6
# for 82.4) and its session less often (R@5 87.9 for 88.7), in 10 % less time among 100,000 rows.
# 100 and 12 bring the session back (88.7), for 4 % more time.
GATHERED = 2000  # rows taken from the rarest words; commoner words are tested on these alone
ENOUGH = 200  # rows of rare words that do without those of a word that GATHERED or more hold
WEIGHED = 500  # rows that are weighed together with the rows logged next to them
KEPT = 80  # rows whose thread, speaker and length are read
NEAR = 40  # rows nearest in meaning that are candidates, whatever words they hold
ANCHORS = 12  # rows whose neighbours in the thread are looked up
THREADS = 96  # threads whose length is looked up and that are scored
READ = 40  # rows whose text is read for expressions of time, and for what their details hold
DATES_READ = 20  # rows whose text is read for the days that it names
CHARACTERS_READ = 10_000  # of each such text
DATED = 200  # rows of a named date that hold none of the words
