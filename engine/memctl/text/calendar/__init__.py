"""Days as people say them, in a dozen languages: "on 3 May", "last weekend", "vorgestern".

`day_words.txt` names, `day_tokens` cuts a text into, `day_rules` reads, `said_dates` is asked.
"""
