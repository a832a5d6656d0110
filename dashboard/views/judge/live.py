"""A session of judging as its owner sees it: the invitation, what is asked next, and the ranking as it grows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from html import escape

import streamlit as st

from dashboard.components.controls import choose_view
from dashboard.components.messages import plain
from dashboard.views.judge.manage import manage_view
from dashboard.views.judge.projector import invitation, projector_controls
from dashboard.views.judge.ranking import (
    certainty_choice,
    followed,
    found_results,
    planned,
    results_view,
    still_needed,
)
from dashboard.views.judge.sentences import disputed_outputs, judged_edits, sentences_view
from gec_core.formatting import counted
from gec_core.judging.database import JudgingDatabase
from gec_core.judging.next_item import Tally, judgeable, most_items, totals
from gec_core.judging.results import SessionResults
from gec_core.judging.session import Session

VIEWS = {
    "invite": "Invite",
    "plan": "Plan",
    "results": "Results",
    "sentences": "Sentences",
    "projector": "Projector",
    "manage": "Manage",
}


def show(database: JudgingDatabase, owned: Session, secret: str, *, leave: Callable[[], None]) -> None:
    """Draw the session."""
    st.title(plain(owned.plan.title))
    closed = " It is closed." if owned.closed is not None else ""
    st.caption(
        f"A session about {plain(owned.plan.corpus)}: {counted(len(owned.plan.systems), 'system')}, "
        f"{counted(len(owned.plan.sentences), 'sentence')}.{closed} Keep the address of this page: it is the only key "
        "to the session's results."
    )
    view = choose_view(VIEWS, "invite")
    if view == "invite":
        if owned.closed is None:
            invitation(owned)
        else:
            st.info("The session is closed, so nobody can join it. *Manage* opens it again.")
        _progress(database, owned)
    elif view == "plan":
        _plan(database, owned)
    elif view == "results":
        _results(database, owned)
    elif view == "sentences":
        sentences_view(database, owned)
    elif view == "projector":
        projector_controls(database, owned)
    else:
        manage_view(database, owned, secret, leave)


@followed
def _progress(database: JudgingDatabase, owned: Session) -> None:
    answers = database.answers(owned)
    counts = Counter(answer.judge for answer in answers)
    judges, most = database.judges(owned), most_items(owned.plan, owned.texts)
    st.subheader("Progress")
    done, wanted = planned(database, owned)
    st.progress(done / max(wanted, 1), f"{done:,} of {wanted:,} planned judgments")
    here = [judge for judge in judges if not judge.excluded]
    if here and done < wanted and owned.closed is None and all(counts[judge.name] >= most for judge in here):
        more = owned.plan.items_per_judge < len(judgeable(owned.plan, owned.texts))
        st.info(
            f"Everybody who joined is done. {counted(wanted - done, 'planned judgment')} "
            f"{'is' if wanted - done == 1 else 'are'} left for others who join"
            + (", or for the same judges if you raise *Items per judge* under *Manage*." if more else ".")
        )
    if judges:
        rows = "".join(
            f"<tr><th scope=row>{escape(judge.name)}</th>"
            f"<td>{'left out' if judge.excluded else f'{counts[judge.name]} of {most}'}</td></tr>"
            for judge in judges
        )
        st.html(
            "<div class=lens-scroll><table class='lens-table'><thead><tr><th>Judge</th><th>Answers</th></tr></thead>"
            f"<tbody>{rows}</tbody></table></div>"
        )
    else:
        st.write("Nobody has joined yet.")


@followed
def _results(database: JudgingDatabase, owned: Session) -> None:
    found = found_results(database, owned)
    if not found.answers:
        st.write("There are no answers yet. This page follows along.")
        return
    results_view(owned, found)
    disputed_outputs(owned, found)
    if owned.plan.kind == "edits":
        judged_edits(owned, found)


@followed
def _plan(database: JudgingDatabase, owned: Session) -> None:
    """Draw what is asked next and why, and how much is still to do."""
    now = database.current(owned)
    plan = now.plan
    tally = database.counted(now, totals).tally
    done, wanted = planned(database, owned)
    st.write(
        f"**Planned:** {counted(len(judgeable(plan, now.texts)), 'sentence')} × "
        f"{counted(plan.judgments_per_sentence, 'judgment')} = {wanted:,} judgments; {done:,} are there. Each judge "
        f"gets at most {counted(plan.items_per_judge, 'item')}"
        + (
            f", and after every {plan.repeat_every} of them an earlier one again."
            if plan.repeat_every
            else ", none of them twice."
        )
    )
    st.progress(done / max(wanted, 1))
    if done == wanted:
        st.write("**Next:** nothing. All planned judgments are there. *Manage* lets you ask for more.")
    elif plan.kind == "edits":
        st.write("**Next:** the outputs of sentences with the fewest judgments, systems in turn.")
    elif plan.order == "random":
        st.write("**Next:** sentences at random among those with the fewest judgments, systems spread evenly.")
    elif not tally.is_warm:
        st.write(
            "**Next:** balanced, until there are as many comparisons as pairs of systems "
            f"({int(tally.met.sum() / 2):,} of {len(plan.systems) * (len(plan.systems) - 1) // 2:,}). Then where an "
            "answer is most informative."
        )
    else:
        st.write(
            "**Next:** where an answer is most informative: pairs of systems whose order is open, compared rarely"
            + (", on sentences on which the metrics split." if plan.splits else ".")
        )
    if plan.kind == "edits":
        return
    found = found_results(database, owned)
    if not found.pairs:
        st.write("The pairs of systems show here with the first answers.")
        return
    certainty = certainty_choice()
    st.write(still_needed(found, certainty))
    _pair_table(found, tally, certainty)


def _pair_table(found: SessionResults, tally: Tally, certainty: float) -> None:
    """One row and column per system, best first: how certain the order is, and how often the two were compared."""
    systems = found.expected_wins.systems if found.expected_wins else ()
    gains = tally.gains()
    at = {name: number for number, name in enumerate(tally.systems)}
    best = sorted(found.pairs, key=lambda pair: -gains[at[pair.better], at[pair.worse]])[:3]
    asked = {(pair.better, pair.worse) for pair in best}
    known = {(pair.better, pair.worse): pair for pair in found.pairs}
    head = "".join(f"<th scope=col class=wrap>{escape(name)}</th>" for name in systems[1:])
    body = ""
    for row, better in enumerate(systems[:-1]):
        cells = ""
        for column, worse in enumerate(systems[1:], 1):
            if column <= row:
                cells += "<td></td>"
                continue
            pair = known[better, worse]
            settled = pair.certainty >= certainty
            mark = (" ✓" if settled else "") + (" ●" if (better, worse) in asked else "")
            shade = "" if settled else f" style='--open:{round(200 * (1 - pair.certainty))}%'"
            cells += f"<td class='{'' if settled else 'lens-open'}'{shade}>{pair.certainty:.0%}{mark}"
            cells += f"<br><small>{pair.compared}×</small></td>"
        body += f"<tr><th scope=row>{escape(better)}</th>{cells}</tr>"
    st.html(
        "<div class=lens-scroll><table class='lens-table lens-pinned'><thead><tr><th>better than →</th>"
        f"{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
    st.caption(
        "How certain it is that the system of the row is better than that of the column, and how often they were "
        "compared. ✓ settled. ● one more comparison of these two is most informative: about their order, or that of "
        "one of them and others."
    )
