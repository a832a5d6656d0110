"""Collecting human judgments: sessions, the items that judges see, their answers, and the rankings they give.

A session belongs to its owner, who has a secret link, and is open to judges, who have a code. `plan` says what is
judged and how, `database` keeps it, `planning` chooses the next item, `results` turns answers into judgments and
rankings, `files` exports and imports them, and `simulation` measures how many judgments a ranking needs.
"""
