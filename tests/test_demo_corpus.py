"""The demo corpus: built as stated, of the stated behaviours, and the metrics disagree on it as its README says."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from conftest import CONLL14, ROOT, needs_conll14

from gec_core import corpora, scoring
from gec_core.align.edits import apply_edits, diff_edits
from gec_core.errors import CorpusError
from gec_core.human.pairs import expanded
from gec_core.human.ranking import expected_wins
from gec_core.metrics import create
from gec_core.types import Corpus, Edit
from tools import build_demo
from tools.demo import figures, judges, systems, texts

DEMO = ROOT / "data" / "demo"
WRITTEN = texts.read(DEMO / "sentences.toml")
README = (DEMO / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return corpora.load(DEMO)


@pytest.fixture(scope="module")
def rank() -> dict[str, dict[str, int]]:
    return {name: figures.ranks(values) for name, values in figures.scores().items()}


def test_marks_become_source_and_edits() -> None:
    source, edits = texts.parse("I {am=>|Vform} agree {=>with|Prep} {which=>who/that|Pform} {is me=>am|SVA} .")
    assert source == "I am agree which is me ."
    assert edits == (
        Edit(1, 2, "", "Vform"),
        Edit(3, 3, "with", "Prep"),
        Edit(3, 4, "who", "Pform", ("that",)),
        Edit(4, 6, "am", "SVA"),
    )


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ('annotator0 = "I {go=>went} ."', "not {wrong=>right|type}"),
        ('annotator0 = "I go ."\nannotator1 = "I went ."', "another sentence"),
        ('annotator0 = "I go and go ."\nneedless = ["go=>walk"]', "2 times"),
        ('annotator0 = "I {go=>went|Vt} ."\nharmful = ["go=>goes"]', "overlap"),
        ('annotator0 = "I go ."\nfluid = "I walk ."', "unknown fluid"),
    ],
)
def test_what_does_not_fit_is_refused_by_sentence(lines: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "sentences.toml"
    path.write_text(f"[[sentence]]\n{lines}\n", encoding="utf-8")
    with pytest.raises(CorpusError, match=f"sentence 1: .*{re.escape(complaint)}"):
        texts.read(path)


def test_the_files_are_what_the_builder_makes(tmp_path: Path) -> None:
    build_demo.build(DEMO / "sentences.toml", tmp_path)
    built = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    kept = {path.relative_to(DEMO): path.read_bytes() for path in DEMO.rglob("*") if path.is_file()}
    assert set(kept) - set(built) == {Path("sentences.toml"), Path("README.md")}
    assert [str(path) for path, content in built.items() if kept.get(path) != content] == []


def test_size_and_marking(corpus: Corpus) -> None:
    assert len(corpus) == 86
    assert set(corpus.systems) == set(systems.SYSTEMS)
    assert corpus.judgments is not None
    assert corpus.judgments.judges == ("judge-a-made-up", "judge-b-made-up", "judge-c-made-up")
    assert corpus.info.notice == build_demo.NOTICE
    assert "no person judged anything" in build_demo.NOTICE
    for file in ("judgments.xml", "corpus.toml"):
        assert build_demo.NOTICE in (DEMO / file).read_text(encoding="utf-8")


def test_sentences_vary(corpus: Corpus) -> None:
    lengths = [len(sentence.tokens) for sentence in corpus.sentences]
    assert min(lengths) <= 6
    assert 35 <= max(lengths) <= 40
    errors = Counter(len(sentence.annotations[0].edits) for sentence in corpus.sentences)
    assert errors[0] == 8
    assert errors[1] + errors[2] + errors[3] > len(corpus) / 2
    assert sum(count for number, count in errors.items() if number >= 4) >= 8
    types = {edit.type for sentence in corpus.sentences for note in sentence.annotations for edit in note.edits}
    assert len(types) >= 15
    assert all(f"`{type_}`" in README for type_ in types)
    assert sum(sentence.references[0] != sentence.references[1] for sentence in corpus.sentences) >= len(corpus) / 2


def test_gold_edits_fit_their_sentences_and_give_the_references(corpus: Corpus) -> None:
    for sentence in corpus.sentences:
        for annotation, reference in zip(sentence.annotations, sentence.references, strict=True):
            assert all(0 <= edit.start <= edit.end <= len(sentence.tokens) for edit in annotation.edits)
            assert apply_edits(sentence.source, annotation.edits) == reference


def test_every_text_is_tokenised(corpus: Corpus) -> None:
    stuck = re.compile(r"\w[.,;:?!]|\w'\w")
    references = [reference for sentence in corpus.sentences for reference in sentence.references]
    rewrites = [written.fluent for written in WRITTEN if written.fluent]
    lines = [*(sentence.source for sentence in corpus.sentences), *references, *rewrites]
    assert [line for line in lines if stuck.search(line.replace("n't", ""))] == []
    assert all(line.endswith((" .", " ?")) and line[0].isupper() for line in lines)


def test_input_does_nothing(corpus: Corpus) -> None:
    assert corpus.outputs("INPUT") == tuple(sentence.source for sentence in corpus.sentences)


def test_noarticle_corrects_everything_but_articles(corpus: Corpus) -> None:
    for sentence, output in zip(corpus.sentences, corpus.outputs("NOARTICLE"), strict=True):
        wanted = {
            apply_edits(sentence.source, [edit for edit in note.edits if edit.type != "ArtOrDet"])
            for note in sentence.annotations
        }
        assert output in wanted


def test_careful_makes_few_changes_and_right_ones() -> None:
    right = changes = 0
    for written, output in zip(WRITTEN, systems.outputs("CAREFUL", WRITTEN, build_demo.SEED), strict=True):
        gold = len(written.gold(0))
        right += gold - output.errors_left
        changes += len(diff_edits(written.sentence.source, output.text))
    assert right / changes > 0.9
    assert right / sum(len(written.gold(0)) for written in WRITTEN) < 0.3


def test_eager_makes_most_corrections_and_many_other_changes() -> None:
    made = systems.outputs("EAGER", WRITTEN, build_demo.SEED)
    assert sum(output.errors_left for output in made) < 0.2 * sum(len(written.gold(0)) for written in WRITTEN)
    needless = sum(
        bool(written.needless or written.harmful) and output.text not in written.sentence.references
        for written, output in zip(WRITTEN, made, strict=True)
    )
    assert needless > 0.9 * len(WRITTEN)


def test_fluent_rewrites_most_sentences_unlike_the_references(corpus: Corpus) -> None:
    outputs = corpus.outputs("FLUENT")
    rewritten = [output for output, written in zip(outputs, WRITTEN, strict=True) if output == written.fluent]
    assert len(rewritten) > 0.8 * len(corpus)
    references = {reference for sentence in corpus.sentences for reference in sentence.references}
    assert not references & set(rewritten)


def test_repeat_repeats(corpus: Corpus) -> None:
    assert sum(map(repeats, corpus.outputs("REPEAT"))) > 0.6 * len(corpus)
    for name in set(corpus.systems) - {"REPEAT"}:
        assert not any(map(repeats, corpus.outputs(name))), name


def test_noisy_spoils_more_than_it_mends() -> None:
    made = systems.outputs("NOISY", WRITTEN, build_demo.SEED)
    mended = sum(len(written.gold(0)) - output.errors_left for written, output in zip(WRITTEN, made, strict=True))
    assert 0 < 3 * mended < sum(output.damage for output in made)


def test_judges_rank_up_to_five_different_outputs(corpus: Corpus) -> None:
    assert corpus.judgments is not None
    for item in corpus.judgments.items:
        assert 1 <= len(item.ranked) <= judges.PLACES
        assert {place.rank for place in item.ranked} == set(range(1, max(place.rank for place in item.ranked) + 1))
        shown = [{corpus.outputs(name)[item.sentence] for name in place.systems} for place in item.ranked]
        assert all(len(outputs) == 1 for outputs in shown)
        assert len(set.union(*shown)) == len(shown)


def test_identical_outputs_share_a_place(corpus: Corpus) -> None:
    assert corpus.judgments is not None
    for item in corpus.judgments.items:
        for place in item.ranked:
            output = corpus.outputs(place.systems[0])[item.sentence]
            same = sorted(name for name in corpus.systems if corpus.outputs(name)[item.sentence] == output)
            assert list(place.systems) == same


def test_each_judge_sees_most_sentences_and_some_twice(corpus: Corpus) -> None:
    assert corpus.judgments is not None
    for judge in judges.JUDGES:
        seen = Counter(item.sentence for item in corpus.judgments.items if item.judge == judge.name)
        assert 0.7 * len(corpus) < len(seen) < len(corpus)
        assert sum(times == 2 for times in seen.values()) == judge.again
        assert max(seen.values()) == 2


def test_the_readme_has_the_figures() -> None:
    assert figures.table() in README


@pytest.mark.parametrize(
    ("metric", "sentence", "system", "score"),
    [
        ("sentm2", 64, "FLUENT", 0.0),
        ("gleu", 64, "FLUENT", 0.11),
        ("sentm2", 64, "EAGER", 0.56),
        ("gleu", 64, "EAGER", 0.33),
        ("sentm2", 9, "REPEAT", 0.71),
    ],
)
def test_the_examples_of_the_readme(corpus: Corpus, metric: str, sentence: int, system: str, score: float) -> None:
    assert corpus.outputs(system)[sentence] in " ".join(README.split())
    found = scoring.score(corpus, [create(metric)])[metric].sentence_scores(system)[sentence]
    assert found == pytest.approx(score, abs=0.005)


def test_metrics_disagree_as_the_readme_says(rank: dict[str, dict[str, int]]) -> None:
    people, m2, imeasure = rank[figures.PEOPLE], rank["m2"], rank["imeasure"]
    assert people["FLUENT"] == 1
    assert all(rank[id]["FLUENT"] >= 5 for id in figures.METRICS)
    assert all(rank[id]["NOARTICLE"] == 1 for id in figures.METRICS)
    assert (m2["REPEAT"], people["REPEAT"]) == (2, 6)
    assert m2["NOISY"] < m2["INPUT"]
    assert people["INPUT"] < people["NOISY"]
    assert all(rank[id]["EAGER"] < rank[id]["CAREFUL"] for id in ("m2", "gleu", "green"))
    assert all(rank[id]["CAREFUL"] < rank[id]["INPUT"] < rank[id]["EAGER"] for id in ("imeasure", "bleu"))
    assert imeasure["FLUENT"] == 7
    assert sum(place < imeasure["INPUT"] for place in imeasure.values()) == 3


def test_the_judge_of_minimal_corrections_prefers_noarticle_to_fluent(corpus: Corpus) -> None:
    assert corpus.judgments is not None
    by_judge = [expected_wins(expanded(corpus.judgments.by([judge.name]))) for judge in judges.JUDGES]
    assert [wins["FLUENT"] > wins["NOARTICLE"] for wins in by_judge] == [False, True, True]


@needs_conll14
def test_no_text_comes_from_conll14(corpus: Corpus) -> None:
    foreign = {
        " ".join(line.split()).casefold()
        for path in CONLL14.rglob("*.txt")
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines()
    }
    own = [sentence.source for sentence in corpus.sentences]
    own += [reference for sentence in corpus.sentences for reference in sentence.references]
    own += [output for outputs in corpus.systems.values() for output in outputs]
    assert [line for line in own if line.casefold() in foreign] == []


def repeats(output: str) -> bool:
    """Whether a run of one to three words is followed by itself."""
    tokens = output.split()
    return any(
        tokens[start : start + width] == tokens[start + width : start + 2 * width]
        for width in (1, 2, 3)
        for start in range(len(tokens) - 2 * width + 1)
    )
