"""The list of disagreements: what only one of two outputs changed, both sides' scores, and the edit that decides."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from html import escape

import streamlit as st

from dashboard import cache, navigation, url_state
from dashboard.components.disagreement import Dispute, Listed, Sides, Stop, stop_at
from dashboard.components.edits import change, marked, score_text
from dashboard.components.messages import in_html
from dashboard.components.progress import redraw_after
from gec_core.explain.prose import deciding_reasons
from gec_core.formatting import minus
from gec_core.meta.disagreement import Disagreement, Opinion
from gec_core.metrics.base import Metric
from gec_core.types import Corpus, Edit

PAGE = 10
"""Disagreements that are shown at a time."""
AROUND = 3
"""Words shown before and after a change."""
RANKS = 4
"""The largest difference of ranks that judges can give."""


def disagreement_rows(listed: Listed) -> None:
    """Draw a page of the list; a click anywhere on a row opens its sentence."""
    corpus, rows, left_out, sides = listed.corpus, listed.rows, listed.left_out, listed.sides
    last = (len(rows) - 1) // PAGE
    page = url_state.value(url_state.number("page", last + 1, first=1)) - 1
    shown = rows[page * PAGE : (page + 1) * PAGE]
    if asked := _ask_models(corpus, [stop_at(row, left_out) for row in shown], sides):
        redraw_after(asked)
    for number, row in enumerate(shown, page * PAGE):
        stop = stop_at(row, left_out)
        with st.container(key=f"dispute-{number}"):
            st.html(_row_html(corpus, row, stop, sides))
            st.page_link(
                navigation.page("sentence"),
                label=f"Open sentence {row.sentence + 1}: {stop.system} and {stop.against}",
                query_params=url_state.link(stop.address | listed.dispute.address),
            )
    if last:
        with st.container(horizontal=True, vertical_alignment="center"):
            for label, to in (("Previous", page), ("Next", page + 2)):
                there = 1 <= to <= last + 1
                st.button(f"{label} {PAGE}", on_click=url_state.set_choice, args=("page", to), disabled=not there)
            st.markdown(f"{page * PAGE + 1} to {min((page + 1) * PAGE, len(rows))} of {len(rows)}", width="content")


def _ask_models(corpus: Corpus, stops: Sequence[Stop], sides: Sides) -> list[Hashable]:
    """Ask models that answer soon which edits decide; return the keys of the jobs that are under way."""
    asked: list[Hashable] = []
    for metric in [metric for _, metric in sides if metric is not None and cache.needs_model(metric)]:
        for stop in stops:
            for system in (stop.system, stop.against):
                text = corpus.systems[system][stop.sentence]
                key = cache.model_key(corpus, metric, stop.sentence, text)
                job = cache.jobs().known(key)
                if job is None and cache.asked_without_click(corpus, metric, stop.sentence, text):
                    job = cache.ask_model(corpus, metric, stop.sentence, text, system, urgency="soon")
                asked += [key] if job is not None and job.active else []
    return asked


def _row_html(corpus: Corpus, row: Disagreement, stop: Stop, sides: Sides) -> str:
    source = corpus.sentences[row.sentence].source
    texts = [corpus.systems[name][row.sentence] for name in (stop.system, stop.against)]
    edits = [cache.output_edits(source, text) for text in texts]
    heads = "".join(f"<th scope=col>{escape(title)}</th>" for title, _ in sides)
    opinions = row.first, row.second
    body = ""
    for place, (name, own) in enumerate(zip((stop.system, stop.against), edits, strict=True)):
        shared = len(row.outputs[place]) - 1
        more = f" <small>and {shared} more</small>" if shared else ""
        cells = "".join(
            _score_cell(opinion, row.outputs[place], side[1]) for opinion, side in zip(opinions, sides, strict=True)
        )
        text = differences(source, own, edits[1 - place])
        body += f"<tr><th scope=row><bdi>{escape(name)}</bdi>{more}</th><td class=wrap dir=auto>{text}</td>{cells}</tr>"
    why = "".join(
        f"<p>{_decides(corpus, row, stop, title, metric, opinion)}</p>"
        for (title, metric), opinion in zip(sides, opinions, strict=True)
    )
    whole = "".join(
        f"<p dir=auto><b>{escape(name)}</b> {marked(source, own)}</p>"
        for name, own in zip((stop.system, stop.against), edits, strict=True)
    )
    return (
        f"<div class=lens-dispute><table class='lens-table'><thead><tr><th scope=col>{row.sentence + 1}</th>"
        f"<th scope=col>only this output changes</th>{heads}</tr></thead><tbody>{body}</tbody></table>"
        f"<div class=lens-dispute-preview>{why}{whole}</div></div>"
    )


def differences(source: str, own: Sequence[Edit], other: Sequence[Edit]) -> str:
    """Return the edits that only one of two outputs has, with a few words around each, as HTML."""
    tokens = source.split()
    theirs = {(edit.start, edit.end, edit.correction) for edit in other}
    only = sorted(
        (edit for edit in own if (edit.start, edit.end, edit.correction) not in theirs),
        key=lambda edit: (edit.start, edit.end),
    )
    if not only:
        return "<i>nothing</i>"
    parts, at = [], 0
    for number, edit in enumerate(only):
        start = max(edit.start - AROUND, at)
        until = only[number + 1].start if number + 1 < len(only) else len(tokens)
        end = min(edit.end + AROUND, until)
        parts += ["…"] if start > at else []
        parts += [escape(" ".join(tokens[start : edit.start])), change(tokens[edit.start : edit.end], edit.correction)]
        parts.append(escape(" ".join(tokens[edit.end : end])))
        at = end
    return " ".join(part for part in [*parts, "…" if at < len(tokens) else ""] if part)


def _score_cell(opinion: Opinion, systems: Collection[str], metric: Metric | None) -> str:
    """One side's score of an output, and for the better one a bar of the margin on the scale of the metric."""
    better = bool(set(opinion.better) & set(systems))
    if metric is None:
        won, lost, count = opinion.votes or (0, 0, 0)
        shown, scale = f"{won if better else lost} of {count}", float(RANKS)
    else:
        value = opinion.better_score if better else opinion.worse_score
        shown, scale = score_text(value or 0.0, metric.percent), 100.0 if metric.percent else 1.0
    wide = min(opinion.difference / scale, 1.0) * 3
    title = f"better by {minus(f'{opinion.difference:.3f}')} of {scale:g}"
    bar = f'<span class=lens-margin title="{title}"><span style="width:{wide:.2f}rem"></span></span>' if better else ""
    return f"<td class={'better' if better else 'worse'}>{'▲ ' if better else ''}{shown}{bar}</td>"


def _decides(corpus: Corpus, row: Disagreement, stop: Stop, title: str, metric: Metric | None, opinion: Opinion) -> str:
    """Which output a side prefers, and because of which edit, as far as that is known without asking a model."""
    names = stop.system, stop.against
    if not opinion.better:
        return f"<b>{escape(title)}</b> ties the two"
    better = names[0] if set(opinion.better) & set(row.outputs[0]) else names[1]
    claim = f"<b>{escape(title)}</b> {'prefer' if metric is None else 'prefers'} <b>{escape(better)}</b>"
    if metric is None or not (cache.quick(metric) or cache.needs_model(metric)):
        return claim
    texts = [corpus.systems[name][row.sentence] for name in names]
    found = cache.compared_outputs(corpus, row.sentence, {title: metric}, *texts)
    tokens = corpus.sentences[row.sentence].tokens
    why = [reason for each in found for reason in deciding_reasons(each.difference, names, tokens)[:1]]
    return f"{claim}: {in_html(why[0])}" if why else claim


def few(found_opposed: int, pairs: int) -> bool:
    """Whether two sides disagree so rarely that a list of sentences says little."""
    return found_opposed < max(5, pairs // 100)


def why_link(dispute: Dispute, systems: Mapping[str, object]) -> None:
    """Draw a link to the page that splits the gap between two systems, if there is one."""
    if not list(navigation.PAGES.glob("[0-9]*_why.py")):
        return
    pair = [name for name in dispute.only if name in systems]
    ends = {"first": pair[:1], "second": pair[1:2]}
    st.page_link(
        navigation.page("why"),
        label="Why two sides order two systems differently",
        icon=":material/balance:",
        query_params=url_state.link({"sides": [dispute.a, dispute.b], **{k: v for k, v in ends.items() if v}}),
    )
