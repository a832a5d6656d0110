"""Uploads: outputs for the chosen corpus, a corpus of one's own, or scores of another metric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from html import escape

import streamlit as st

from dashboard import cache, session, url_state
from dashboard.components.controls import choose_one
from dashboard.components.exports import download
from dashboard.components.messages import plain
from dashboard.views.my_system.reading import choose_systems, tell
from gec_core import languages
from gec_core.corpora import Finding, checking, summarise
from gec_core.corpora.archive import zipped
from gec_core.corpora.prepare import Handling
from gec_core.corpora.tokenise import CHOICES, Choice
from gec_core.corpora.uploads import (
    ROLES,
    Outputs,
    Role,
    Upload,
    UploadedCorpus,
    guess_role,
    read_corpus,
    read_outputs,
    with_systems,
)
from gec_core.environment import how_to_run
from gec_core.formatting import counted
from gec_core.scoring.imported import Imported, read_uploads
from gec_core.types import Corpus

ACROSS = 3


def panel() -> None:
    """Draw the panel: choose what to upload, add files, check them; and what has been uploaded so far."""
    corpus = session.whole_corpus()
    ways = {
        "outputs": f"Outputs for {plain(corpus.name)}",
        "corpus": "A corpus of my own",
        "scores": "Scores of another metric",
    }
    way = choose_one("Upload", "bring", ways, "outputs")
    if way == "outputs":
        _outputs(corpus)
    elif way == "corpus":
        _corpus()
    else:
        _scores(corpus)
    _uploaded(corpus)


def _outputs(corpus: Corpus) -> None:
    if not corpus.has_texts:
        st.info(
            f"Outputs cannot be added to {plain(corpus.name)} because its sources and references are not on this "
            f"machine. Get them with `{how_to_run(f'corpora fetch {corpus.name}')}`.",
            icon=":material/info:",
        )
        return
    uploads, ids = _files(
        "outputs",
        f"Files of outputs, with one for each of the {len(corpus):,} sentences",
        "One file per system: text (one output per line), JSONL, JSON, CSV or TSV with a heading, or parquet; also as "
        ".gz, or several in a zip file. UTF-8, at most 100,000 lines. Raw text is tokenised like the sources if you "
        "like.",
    )
    if not uploads:
        if not _has_uploads():  # the list of uploads says it, too
            st.caption(session.privacy())
        return

    def read(step: str, how: dict[str, Handling]) -> tuple[Outputs, ...]:
        key = (corpus.name, session.uploaded_systems(), ids, tuple(how.items()))
        return session.memo(f"outputs-{step}", key, lambda: read_outputs(uploads, corpus, how))

    systems = choose_systems(read, corpus, "-".join(ids)[:200])
    label = f"Add {len(systems)} systems" if systems and len(systems) > 1 else "Add this system"
    st.button(
        label,
        type="primary",
        disabled=systems is None,
        on_click=_add_systems,
        args=(corpus.name, systems),
        icon=":material/add:",
    )


def _add_systems(corpus: str, systems: dict[str, Outputs]) -> None:
    """Callback: add the systems and analyse the first of them."""

    def add() -> None:
        lines = {name: one.lines for name, one in systems.items() if one.lines is not None}
        session.uploads().add_systems(corpus, lines, {name: one.notes for name, one in systems.items()})
        url_state.set_choice("analyse", next(iter(systems)))

    session.apply_upload(add)


def _remove_system(corpus: str, system: str) -> None:
    session.uploads().remove_system(corpus, system)
    session.keep_uploads()


def _has_uploads() -> bool:
    uploads = session.uploads()
    return bool(session.uploaded_systems() or uploads.corpora or uploads.imported)


def _uploaded(corpus: Corpus) -> None:
    """Draw what the visitor has uploaded, with buttons to save and remove it."""
    if problem := session.upload_problem():
        st.error(plain(problem), icon=":material/block:")
    if not _has_uploads():
        return
    uploads, mine = session.uploads(), session.uploaded_systems()
    st.subheader("Your uploads")
    _list([(name, f"system for {corpus.name}") for name in mine], "system", partial(_remove_system, corpus.name))
    _list_corpora()
    _list_scores(corpus)
    st.caption(session.privacy() + " The address of a page names your uploads, and carries no text of them.")
    with st.container(horizontal=True):
        if mine or corpus.name in uploads.corpora:
            download(
                "Save as a corpus folder",
                partial(zipped, corpus),
                f"{corpus.name}.zip",
                "application/zip",
                help=f"A zip file of {corpus.name} with all its systems, including yours. You can upload it again as a "
                "corpus of your own, or use it on the command line with --corpus.",
            )
        st.button("Delete all my uploads", on_click=session.delete_uploads, icon=":material/delete:")


def _corpus() -> None:
    """Draw the upload of a corpus: add files, say what each one is, name the corpus, open it."""
    uploads, ids = _files(
        "corpus",
        "Files of a corpus: sources, references or gold edits, outputs; or the zip file of a corpus folder",
        "Sources and references as text (one sentence per line), as TSV (source, tab, reference), or as M2; outputs as "
        "text, one file per system. Files may be gzipped.",
    )
    if not uploads:
        st.caption(f"The README describes corpus folders. {session.privacy()}")
        return
    roles = _roles(uploads, ids)
    if not {"source", "pairs", "gold", "corpus"} & set(roles):
        st.info("Which file has the sources? Choose it below its name, or add a file with sources or gold edits (M2).")
        return
    taken = (*cache.corpus_names(), *session.uploads().corpora)
    left, right = st.columns([2, 1])
    name = left.text_input(
        "Name of the corpus",
        checking.suggest_name(uploads[0].name if roles[0] == "corpus" else "my corpus", taken),
        max_chars=checking.LONGEST,
        key=f"_corpus-{ids[0]}",
    ).strip()
    problem = checking.name_problem(name, taken)
    if problem:
        st.error(plain(problem), icon=":material/block:")

    language = ""

    def read(step: str, how: dict[str, Handling], tokenise: Choice | None = None) -> UploadedCorpus:
        key = (ids, roles, name, tokenise, language, tuple(how.items()))
        return session.memo(f"corpus-{step}", key, lambda: read_corpus(uploads, roles, name, how, tokenise, language))

    found = read("first", {})
    if found.corpus and "corpus" not in roles:
        with right:
            language = _language(found.corpus.language, ids[0])
        found = read("language", {}) if language else found
    if found.raw:
        choice = _tokenise_corpus(ids[0])
        found = read("texts", {}, choice)
    else:
        choice = None
    tell(found.findings)
    if found.corpus is None:
        return
    _facts(found.corpus)
    systems = choose_systems(
        lambda step, how: read(step, how, choice).outputs if how else found.outputs,
        found.corpus,
        "-".join(ids)[:200],
    )
    ready = not problem and (systems is not None or all(one.lines is None for one in found.outputs))
    st.button(
        "Open this corpus",
        type="primary",
        disabled=not ready,
        on_click=_open_corpus,
        args=(_together(found.corpus, systems or {}) if ready else None,),
        icon=":material/folder_open:",
    )


def _language(guess: str, key: str) -> str:
    """Draw the choice of a language; return its code, or nothing if the guess is left."""
    guessed = f"{languages.name(guess)} (guessed)" if guess else "Not known"
    return st.selectbox(
        "Language",
        ["", *sorted(languages.NAMES, key=languages.name)],
        format_func=lambda code: languages.name(code) if code else guessed,
        key=f"_language-{key}",
        help="Metrics made for English are off for other languages.",
    )


def _tokenise_corpus(key: str) -> Choice:
    st.warning(
        "The sources are not tokenised: most of them end in a word with its full stop. Metrics compare tokens, so "
        "sources, references and outputs should all be tokenised in the same way.",
        icon=":material/content_cut:",
    )
    choices: list[Choice] = ["treebank", "none", "spacy"]
    return st.radio(
        "Tokenise sources and references",
        choices,
        format_func=CHOICES.__getitem__,
        horizontal=True,
        key=f"_tokenise-corpus-{key}",
    )


def _together(corpus: Corpus, systems: dict[str, Outputs]) -> Corpus:
    lines = {name: one.lines for name, one in systems.items() if one.lines is not None}
    return with_systems(corpus, lines, {name: one.notes for name, one in systems.items()})


def _roles(uploads: list[Upload], ids: tuple[str, ...]) -> tuple[Role, ...]:
    """Draw what each file is: guessed from its name, and for the visitor to correct."""
    roles: list[Role] = []
    known: list[Role] = list(ROLES)
    places = [place for _ in range(0, len(uploads), ACROSS) for place in st.columns(ACROSS)]
    for place, upload, id in zip(places, uploads, ids, strict=False):
        roles.append(
            place.selectbox(
                plain(upload.name),
                known,
                known.index(guess_role(upload.name)),
                format_func=ROLES.__getitem__,
                key=f"_role-{id}",
            )
        )
    return tuple(roles)


def _facts(corpus: Corpus) -> None:
    counts = summarise(corpus)
    told = [
        (counts.sentences, "sentence"),
        (counts.tokens, "token"),
        (counts.references, "reference"),
        (counts.edits, "gold edit"),
        (counts.systems, "system"),
        (counts.judgments, "judgment"),
    ]
    st.markdown(" · ".join(counted(number, noun) for number, noun in told if number))


def _open_corpus(corpus: Corpus) -> None:
    def add() -> None:
        session.uploads().add_corpus(corpus)
        session.choose_corpus(corpus.name)

    session.apply_upload(add)


def _remove_corpus(name: str) -> None:
    session.uploads().remove_corpus(name)
    session.keep_uploads()
    session.choose_corpus(None)


def _list_corpora() -> None:
    """List the uploaded corpora."""
    items = [
        (name, f"corpus, {len(corpus):,} sentences, {len(corpus.systems)} systems")
        for name, corpus in session.uploads().corpora.items()
    ]
    _list(items, "corpus", _remove_corpus)


def _scores(corpus: Corpus) -> None:
    """Draw the upload of scores: add files, check what is in them, add them as metrics."""
    uploads, ids = _files(
        "scores",
        f"Files of scores for the systems of {plain(corpus.name)}",
        "TSV or CSV with the columns system and score, and optionally sentence (counted from 0) and metric; or JSON. "
        f"The output of `{how_to_run('score --format tsv')}` has this format.",
    )
    if not uploads:
        st.caption(
            "One score per line, with the columns `system` and `score`, and for sentence scores `sentence`, counted "
            "from 0. Higher scores are better. See docs/importing.md."
        )
        return
    taken = tuple(session.uploads().imported)
    metrics, findings = session.memo("scores", (ids, taken), lambda: read_uploads(uploads, taken))
    tell(findings)
    fitting = [metric for metric in metrics if not metric.misfit(corpus)]
    for metric in metrics:
        with st.container(border=True):
            st.text(metric.file)
            tell(_oddities(metric, corpus))
            if metric in fitting:
                st.markdown(f"**{plain(metric.name)}** · {plain(_coverage(metric, corpus))}")
                st.code(metric.signature, language=None)
    st.button(
        f"Add {len(fitting)} metrics" if len(fitting) > 1 else "Add this metric",
        type="primary",
        disabled=not fitting,
        on_click=_add_scores,
        args=(fitting,),
        icon=":material/add:",
    )


def _oddities(metric: Imported, corpus: Corpus) -> list[Finding]:
    if problem := metric.misfit(corpus):
        return [Finding("error", problem)]
    told = []
    if unknown := metric.unknown(corpus):
        told.append(f"{metric.file}: ignored scores of {', '.join(unknown)}, which {corpus.name} does not have.")
    if missing := [name for name in corpus.systems if name not in metric.scores.systems]:
        told.append(f"{metric.file}: no scores of {', '.join(missing)}.")
    return [Finding("warning", message) for message in told]


def _coverage(metric: Imported, corpus: Corpus) -> str:
    systems = [name for name in corpus.systems if name in metric.scores.systems]
    by_sentence = [name for name in systems if name in metric.scores.sentences]
    level = "sentence scores" if len(by_sentence) == len(systems) else "system scores only"
    if by_sentence and len(by_sentence) < len(systems):
        level = f"sentence scores for {', '.join(by_sentence)}"
    return f"{len(systems)} of {len(corpus.systems)} systems, {level}"


def _add_scores(metrics: list[Imported]) -> None:
    def add() -> None:
        session.uploads().imported.update({metric.id: metric for metric in metrics})
        session.add_metrics([metric.id for metric in metrics])

    session.apply_upload(add)


def _remove_scores(id: str) -> None:
    session.uploads().imported.pop(id, None)
    session.keep_uploads()


def _list_scores(corpus: Corpus) -> None:
    """List the uploaded scores."""
    items = [
        (id, f"metric {metric.name}" + (f", not for {corpus.name}" if metric.misfit(corpus) else ""))
        for id, metric in session.uploads().imported.items()
    ]
    _list(items, "scores", _remove_scores)


def _files(name: str, label: str, help: str) -> tuple[list[Upload], tuple[str, ...]]:
    """Draw a file uploader and return its files with their ids."""
    files = st.file_uploader(label, accept_multiple_files=True, key=session.upload_key(name), help=help)
    return [Upload(file.name, file.getvalue()) for file in files], tuple(file.file_id for file in files)


def _list(items: Sequence[tuple[str, str]], key: str, on_remove: Callable[[str], None]) -> None:
    """List uploads, each with a description and a button to remove it."""
    for name, told in items:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(f"<b>{escape(name)}</b> <span style='opacity:.72'>{escape(told)}</span>", width="stretch")
            st.button("Remove", key=f"_remove-{key}-{name}", on_click=on_remove, args=(name,), icon=":material/close:")
