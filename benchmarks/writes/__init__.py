"""How much more does remembering cost than SQLite's own bare insert?"""
