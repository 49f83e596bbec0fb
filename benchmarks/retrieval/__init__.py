"""Does recall find the turns that hold the answer, how fast, and how much better than others?"""
