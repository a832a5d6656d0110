"""Collecting human judgments: sessions, the items that judges see, their answers, and the rankings they give.

A session belongs to its owner, who has a secret link, and is open to judges, who have a code. `session` has what a
session asks and what counts as an answer; `database` keeps sessions and answers, in the tables of `tables`; `next_item`
chooses what a judge sees next; `results` turns answers into judgments and rankings; `files` exports and imports them;
`simulation` measures how many judgments a ranking needs.
"""
