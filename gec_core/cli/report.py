"""`report`: the error analysis of a system as one HTML file, with its numbers as CSV and JSON in a zip."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_core.cli.inputs import (
    add_corpus,
    chosen_sentences,
    corpus_from,
    named_files,
    number_from_0,
    whole_number,
    with_outputs,
)
from gec_core.cli.output import tell, write_file
from gec_core.cli.scoring import (
    add_imports,
    add_metrics,
    add_scoring,
    metrics_from,
    scoring_with,
    table_from,
    tell_problems,
)

if TYPE_CHECKING:
    from gec_core.types import Corpus


def add(commands: Any) -> None:
    command = commands.add_parser(
        "report", help="analyse one system and write the report as one HTML file", allow_abbrev=False
    )
    add_corpus(command)
    group = command.add_argument_group("system to analyse")
    group.add_argument(
        "--system",
        metavar="NAME[=FILE]",
        action="append",
        required=True,
        help="a system of the corpus, or outputs to add to it, one per line; the first one named is analysed",
    )
    group.add_argument(
        "--against",
        metavar="NAME",
        help="the system to compare it with (default: the best of the others; without others, the unchanged source)",
    )
    add_imports(command)
    add_metrics(command, required=False)
    group = command.add_argument_group("which metrics count")
    group.add_argument(
        "--purpose",
        choices=["minimal", "fluency"],
        default="minimal",
        help="what the systems are for: minimal edits or fluency (default: %(default)s)",
    )
    group.add_argument(
        "--language-models",
        action=argparse.BooleanOptionalAction,
        help="language models are among the systems, or are not (default: what the files of outputs suggest)",
    )
    group = command.add_argument_group("resampling")
    group.add_argument(
        "--samples", metavar="N", type=whole_number, default=1000, help="number of samples (default: %(default)s)"
    )
    group.add_argument(
        "--seed", metavar="N", type=number_from_0, default=0, help="seed of the samples (default: %(default)s)"
    )
    add_scoring(command)
    group = command.add_argument_group("output")
    group.add_argument(
        "--out",
        metavar="FILE",
        type=Path,
        required=True,
        help="an HTML file, or a zip file of the report and its numbers",
    )
    group.add_argument(
        "--zip", metavar="FILE", type=Path, help="also write the report and its numbers (CSV, JSON) to this zip file"
    )
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    from gec_core.analysis import analyse, bundle, page, report
    from gec_core.analysis.analysis import source_alone, with_source
    from gec_core.analysis.significance import keep_resampleable

    corpus = _with_systems(given)
    system = given.system[0].partition("=")[0]
    if not given.metric and not given.scores:
        given.metric = [",".join(_without_models(corpus))]
    scored = table_from(given, corpus, metrics_from(given))
    known = scored.problems
    if not given.scores and (baseline := source_alone(corpus)):  # a file of scores has none of the unchanged source
        scored = with_source(scored, table_from(given, baseline, [column.metric for column in scored.columns]))
    left_out = keep_resampleable(scored, corpus.systems).problems
    tell_problems({id: problem for id, problem in left_out.items() if id not in known})
    how_often: dict[str, Any] = {"samples": given.samples, "seed": given.seed}
    purpose: dict[str, Any] = {"edits": given.purpose, "language_models": given.language_models}
    with scoring_with(given) as how:
        found = report(
            analyse(corpus, scored, system, given.against, **how_often, **purpose, **how, asked=_asked(given))
        )
    zipped = given.out if given.out.suffix == ".zip" else given.zip
    if given.out.suffix != ".zip":
        _write(given.out, page(found).encode())
    if zipped:
        _write(zipped, bundle(found))


def _asked(given: argparse.Namespace) -> list[str]:
    """The arguments that name corpus and systems, as given."""
    named = {
        "--corpus": [given.corpus],
        "--source": [given.source],
        "--hyp": given.hyp,
        "--ref": given.ref,
        "--m2": [given.m2],
        "--systems": given.systems,
        "--sentences": [given.sentences],
        "--system": given.system,
        "--tokenise": [given.tokenise],
        "--column": [given.column],
    }
    filled = ["--fill-missing"] if given.fill_missing else []
    return filled + [
        word for option, values in named.items() for value in values if value for word in (option, str(value))
    ]


def _with_systems(given: argparse.Namespace) -> Corpus:
    """The corpus with the outputs that were given."""
    from gec_core.corpora.suspicions import mismatches

    files = named_files("--system", [text for text in given.system if "=" in text])
    whole = corpus_from(argparse.Namespace(**{**vars(given), "sentences": None}))
    corpus = chosen_sentences(given, with_outputs(whole, "--system", files, given))
    marked = [name for name in files if not any(note.caution for note in corpus.notes.get(name, ()))]
    for problem in mismatches(corpus.only(marked)) if marked else ():
        tell(problem)
    corpus.only([text.partition("=")[0] for text in given.system])
    return corpus


def _without_models(corpus: Corpus) -> list[str]:
    """The metrics on edits and n-grams, of those that can run on this corpus here or are scored already."""
    from gec_core.metrics import registry
    from gec_core.shipped import all_precomputed

    every = [cls() for cls in registry().values()]
    plain = [metric for metric in every if metric.family in ("edits", "overlap")]
    if not corpus.has_texts:
        return [metric.id for metric in plain if all_precomputed()[corpus.name].has(metric.statistics_signature)]
    first = corpus.sentences[0]
    had = {"source": True, "references": bool(first.references), "gold": bool(first.annotations)}
    return [metric.id for metric in plain if had[metric.reads] and metric.availability().ready]


def _write(path: Path, content: bytes) -> None:
    write_file(path, content)
    print(f"{path}: {len(content) / 1000:,.0f} kB")
