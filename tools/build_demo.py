"""Builds the demo corpus from data/demo/sentences.toml: `python -m tools.build_demo [--out DIR]`.

Writes source.txt, gold.m2, references/, systems/, judgments.xml and corpus.toml. The same input and the same
seed give the same bytes, and tests/test_demo_corpus.py checks that the files under data/demo are these.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

from gec_core.corpora import m2
from gec_core.types import Judgment
from tools.demo import judges, systems, texts

DEMO = Path(__file__).resolve().parent.parent / "data" / "demo"
SEED = 2014
NOTICE = (
    "The texts, the systems and the judgments of this corpus are made up for demonstration; no person judged anything."
)
CORPUS_TOML = f"""\
title = "Demo: made-up learner sentences, systems and judgments"
language = "en"
licence = "CC0-1.0"
citation = "Written for GEC Lens; made with tools/build_demo.py from data/demo/sentences.toml"
notice = "{NOTICE}"
"""


def build(sentences: Path, folder: Path) -> None:
    """Write the corpus that the sentences give into a folder."""
    written = texts.read(sentences)
    sources = [entry.sentence.source for entry in written]
    outputs = {name: systems.outputs(name, written, SEED) for name in systems.SYSTEMS}
    for below in ("references", "systems"):
        (folder / below).mkdir(parents=True, exist_ok=True)
    _write_lines(folder / "source.txt", sources)
    _write(folder / "gold.m2", m2.write(entry.sentence for entry in written))
    for annotator in (0, 1):
        references = (entry.sentence.references[annotator] for entry in written)
        _write_lines(folder / "references" / f"ref{annotator}.txt", references)
    for name, made in outputs.items():
        _write_lines(folder / "systems" / f"{name}.txt", (output.text for output in made))
    _write_lines(folder / "judgments.xml", _xml(judges.judge_all(sources, outputs, SEED), sources))
    _write(folder / "corpus.toml", CORPUS_TOML)


def _xml(judgments: Sequence[Judgment], sources: Sequence[str]) -> Iterator[str]:
    """The judgments in the format of those published with Grundkiewicz et al. (2015)."""
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f"<!-- {NOTICE} -->"
    yield "<appraise-results>"
    yield ""
    yield '<error-correction-ranking-result source-language="err" id="demo.txt-0" target-language="cor">'
    for item in judgments:
        yield ""
        yield (
            f'  <ranking-item doc-id="demo.txt-{item.sentence}" duration="{_duration(sources[item.sentence], item)}" '
            f'id="{item.sentence}" src-id="{item.sentence}" user="{item.judge}">'
        )
        for place in item.ranked:
            yield f'    <translation rank="{place.rank}" system="{" ".join(place.systems)}"/>'
        yield "  </ranking-item>"
    yield "</error-correction-ranking-result>"
    yield ""
    yield "</appraise-results>"


def _duration(source: str, item: Judgment) -> str:
    """Made up like the rest: some seconds for every token and every output."""
    pace = Random(f"{SEED}/{item}").uniform(0.25, 0.6)
    seconds = round(pace * len(source.split()) * (1 + len(item.ranked)))
    return f"00:{seconds // 60:02}:{seconds % 60:02}.000000"


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    _write(path, "".join(f"{line}\n" for line in lines))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=Path, default=DEMO / "sentences.toml", help="what to build from")
    parser.add_argument("--out", type=Path, default=DEMO, help="where to write (default: data/demo)")
    options = parser.parse_args()
    build(options.sentences, options.out)


if __name__ == "__main__":
    main()
