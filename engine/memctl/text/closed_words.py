"""Closed lists of words: those of grammar, of questions, and irregular forms."""

from __future__ import annotations

# Closed-class words of English, as the index folds them (an apostrophe parts two words).
_ENGLISH = """
    a about above after again against ain all also am an and any are aren as at be because been
    before being below between both but by can cannot could couldn d did didn do does doesn doing
    don down during each else ever every few for from further get gets got had hadn has hasn have
    haven having he her here hers herself him himself his how i if in into is isn it its itself
    just let ll m ma may me might mightn more most much must mustn my myself needn no nor not now
    of off on once one only or other our ours ourselves out over own please re s same shall shan
    she should shouldn so some such t than that the their theirs them themselves then there these
    they this those through to too under until up upon us ve very was wasn we were weren what when
    where whether which while who whom whose why will with won would wouldn y you your yours
    yourself yourselves
"""
# Particles and question words of scripts without spaces, one and two characters long.
_UNSPACED = """
    は が を に の と で も か や へ ね よ です ます した って
    的 了 是 吗 呢 吧 啊 么 什么 怎么 哪里 什麼 哪裡
    은 는 이 가 을 를 의 에 에서 했다
"""
STOP_WORDS = frozenset(_ENGLISH.split() + _UNSPACED.split())

# What questions are made of and texts are not.
_QUESTION_WORDS = """
    according describe kind know long many mention mentioned often remember remind said say sort tell
    type
"""
QUESTION_WORDS = frozenset(_QUESTION_WORDS.split())

# Words of so general a meaning that sharing one of them alone connects no two texts.
_GENERAL_WORDS = """
    able add anything apply ask away back bad become begin best better big bit case change check
    come count day days different do done early easy end even everything everywhere fact feel find
    first fix full get give go goes good great happen happened happens hard have head help high hour idea important keep kind
    large last late later leave left let light like line lines little live long look lot low main
    make matter mean moment month months move need new next nice nothing number old ok
    open own part people person place point put read ready real really right run same save say see
    seem send set short show side simple small something start state stay stop sure take talk tell
    thing things think time times today tomorrow tonight try turn use useful using usual wait want
    way week weeks well whole word work works write wrong year years yes yesterday
    alles etwas gehen gut heute immer machen mal morgen neu nichts sache viel zeit
"""
GENERAL_WORDS = frozenset(_GENERAL_WORDS.split())

# Irregular verbs and plurals: one line, one word.
_FORMS = """
    begin began begun | break broke broken | bring brought | build built | buy bought
    catch caught | choose chose chosen | come came | draw drew drawn | drink drank drunk
    drive drove driven | eat ate eaten | fall fell fallen | feel felt | fight fought | find found
    fly flew flown | forget forgot forgotten | give gave given | go went gone | grow grew grown
    hear heard | hold held | keep kept | know knew known | lead led | leave left | lose lost
    make made | meet met | pay paid | ride rode ridden | ring rang rung | rise rose risen | run ran
    see saw seen | sell sold | send sent | shake shook shaken | sing sang sung | sit sat
    sleep slept | speak spoke spoken | spend spent | stand stood | steal stole stolen
    swim swam swum | take took taken | teach taught | tell told | think thought
    throw threw thrown | understand understood | wake woke woken | wear wore worn | win won
    write wrote written | child children | man men | woman women | person people | foot feet
    tooth teeth | mouse mice | life lives | wife wives
    arise arose arisen | become became | bend bent | bite bit bitten | bleed bled | blow blew blown
    breed bred | burn burnt | cling clung | creep crept | deal dealt | dig dug | dream dreamt
    feed fed | flee fled | forgive forgave forgiven | freeze froze frozen | hang hung
    hide hid hidden | kneel knelt | lay laid | lean leant | leap leapt | learn learnt | lend lent
    mean meant | overcome overcame | seek sought | shine shone | shoot shot
    shrink shrank shrunk | sink sank sunk | slide slid | smell smelt | spell spelt | spin spun
    spoil spoilt | stick stuck | sting stung | strike struck | swear swore sworn | sweep swept
    swing swung | tear tore torn | undergo underwent undergone | weave wove woven | weep wept
    withdraw withdrew withdrawn | calf calves | goose geese | half halves | knife knives
    bus buses | loaf loaves | scarf scarves | shelf shelves | thief thieves | wolf wolves
"""


def _by_form() -> dict[str, tuple[str, ...]]:
    groups = [tuple(group.split()) for line in _FORMS.splitlines() for group in line.split("|")]
    return {form: group for group in groups for form in group}


# Each form to all forms of its word.
FORMS = _by_form()
