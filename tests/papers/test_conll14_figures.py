"""The figures of the papers on the real corpus, and what the causes claim about it."""

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest
from conftest import CONLL14, needs_conll14
from errant_cases import needs_errant
from tiny_encoder import needs_encoder

from gec_core.cli import main
from gec_core.cli import reproduce as command
from gec_core.errors import CorpusError, OptionError
from gec_core.human import unexpanded
from gec_core.meta import pair_agreement
from gec_core.models.places import embedded
from gec_core.papers import PAPERS, reproduce
from gec_core.papers.inputs import PaperInputs, order, sentence_scores, spec
from gec_core.papers.rows import OTHER, Reproduction, table
from gec_core.store import Store
from gec_core.types import Corpus

pytestmark = needs_conll14
needs_lm = pytest.mark.skipif(embedded("causal-lm") is None, reason="the embedded language model is not installed")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(tmp_path_factory.mktemp("store") / "scores.sqlite")


@pytest.fixture(scope="module")
def found(conll14: Corpus, store: Store) -> Reproduction:
    return reproduce("all", conll14, folder=CONLL14, store=store)


@pytest.fixture(scope="module")
def inputs(conll14: Corpus, store: Store) -> PaperInputs:
    return PaperInputs(conll14, CONLL14, store, lambda progress: None, 1)


def verdicts(found: Reproduction, paper: str, *tables: str) -> Counter[Any]:
    return Counter(row.verdict for row in found.rows if row.cell.paper == paper and row.cell.table in tables)


def rows_of(found: Reproduction, paper: str, number: str, *names: str) -> list[Any]:
    return [row for row in found.rows if (row.cell.paper, row.cell.table) == (paper, number) and row.cell.row in names]


def test_every_figure_has_a_verdict_and_every_verdict_but_equal_a_reason(found: Reproduction) -> None:
    assert {row.verdict for row in found.rows} <= {"equal", "differs", "missing"}
    assert [row for row in found.rows if row.verdict != "equal" and not row.cause] == []
    assert [row for row in found.rows if (row.ours is None) != (row.verdict == "missing")] == []


def test_the_count_is_that_of_the_rows(found: Reproduction) -> None:
    counts = found.counts
    kinds = ("equal", "other_model_equal", "differs", "missing")
    assert sum(counts[kind] for kind in kinds) == counts["published"] == len(found.rows)
    assert f"{len(found.rows)} figures published, {counts['equal']} equal, " in found.summary


def test_no_figure_is_counted_twice(found: Reproduction) -> None:
    places = Counter((row.cell.paper, row.cell.table, row.cell.row, row.cell.column) for row in found.rows)
    assert [place for place, times in places.items() if times > 1] == []


def test_chollampatt_and_ng_come_out(found: Reproduction) -> None:
    assert verdicts(found, "chollampatt2018", "table2") == {"equal": 20}
    assert verdicts(found, "chollampatt2018", "table4") == {"equal": 15}
    assert verdicts(found, "chollampatt2018", "williams") == {"equal": 4}
    taus = rows_of(found, "chollampatt2018", "table3", "GLEU", "I-measure", "M2")
    assert Counter(row.verdict for row in taus) == {"equal": 12}


def test_one_number_of_pairs_is_not_what_the_taus_are_about(found: Reproduction, inputs: PaperInputs) -> None:
    pairs = rows_of(found, "chollampatt2018", "table3", "pairs")
    assert [(row.cell.published, row.ours) for row in pairs if row.verdict == "differs"] == [("14584", 14822)]
    judged = unexpanded(inputs.official.judgments)  # type: ignore[arg-type]
    scores = {name: np.round(each, 4) for name, each in sentence_scores(inputs.column(spec("gleu"))).items()}
    assert pair_agreement(judged, scores, "Decided").pairs == 14584


def test_only_figures_with_their_note_need_the_published_human_scores(found: Reproduction) -> None:
    noted = [row for row in found.rows if row.cell.paper == "chollampatt2018" and row.verdict == "equal" and row.cause]
    assert noted
    assert all("scores that Chollampatt and Ng released; with those computed here" in row.cause for row in noted)


def test_worked_examples_and_arithmetic_of_felice_and_briscoe_come_out(found: Reproduction) -> None:
    assert verdicts(found, "felice2015", "table1", "table2", "table3", "table7", "table8") == {"equal": 41}


def test_the_selection_of_felice_and_briscoe_is_met_closely(found: Reproduction) -> None:
    """Theirs is not published; M2 and weighted accuracy of every system are within two points all the same."""
    rates = [
        row
        for row in found.rows
        if row.cell.table in ("table10", "table11") and row.cell.column in ("f05_original", "f05_mixed", "wacc", "i")
    ]
    assert len(rates) == 4 * 13
    assert max(abs(row.off) for row in rates) < 2  # type: ignore[arg-type]


def test_m2_and_gleu_of_gong_et_al_come_out_on_both_levels(found: Reproduction) -> None:
    table4 = rows_of(found, "gong2022", "table4", "GLEU", "M2", "SentM2")
    table5 = rows_of(found, "gong2022", "table5", "GLEU", "M2")
    assert Counter(row.verdict for row in table4 + table5) == {"equal": 28}


def test_rankings_and_rank_differences_of_gong_et_al_come_out(found: Reproduction) -> None:
    columns = ("m2", "sentm2", "human_ew", "human_ts")
    ranks = [row for row in found.rows if row.cell.table == "table6" and row.cell.column in columns]
    assert Counter(row.verdict for row in ranks) == {"equal": 4 * 13 + 2}


def test_m2_and_gleu_in_the_rankings_of_napoles_et_al_come_out(found: Reproduction) -> None:
    ranks = [row for row in found.rows if row.cell.paper == "islam2021" and row.cell.column in ("m2", "gleu")]
    assert Counter(row.verdict for row in ranks if row.cell.table == "table5") == {"equal": 26}


def test_bleu_with_the_mean_reference_length_gives_the_published_order(inputs: PaperInputs) -> None:
    """What the cause of two differing ranks claims."""
    corpus, column = inputs.corpus("alternatives"), inputs.column(spec("bleu"), "alternatives")
    length = sum(np.mean([len(text.split()) for text in one.references]) for one in corpus.sentences)
    scores = {}
    for system, scored in column.systems.items():
        output, _, *counts = scored.statistics.sum(axis=0)
        precision = np.exp(np.mean(np.log(np.array(counts[:4]) / np.array(counts[4:]))))
        scores[system] = precision * min(1, np.exp(1 - length / output))
    assert order(scores) == [row["bleu"] for row in table("islam2021_table5")]


def by_other_models(rows: list[Any]) -> dict[tuple[Any, Any], Any]:
    """Rows that were made with another model, each saying so."""
    assert [row for row in rows if not row.cause.startswith(f"{OTHER}: ")] == []
    return {(row.cell.row, row.cell.column): row.ours for row in rows}


@needs_encoder
@needs_errant
def test_table_5_with_the_embedded_encoder_says_so_and_tells_the_same_story(found: Reproduction) -> None:
    """Weights bring both metrics closer to people, at both levels; BERTScore alone is far from them."""
    rows = rows_of(found, "gong2022", "table5", "PT-M2 BERT", "PT-ERRANT BERT", "BERTScore BERT")
    assert len(rows) == 20
    ours = by_other_models(rows)
    plain = {(row.cell.row, row.cell.column): row.ours for row in rows_of(found, "gong2022", "table5", "M2", "ERRANT")}
    for metric in ("M2", "ERRANT"):
        for people in ("ew", "ts"):
            for level in ("corpus", "sentence"):
                column = f"{people}_{level}_r"
                assert ours[f"PT-{metric} BERT", column] > plain[metric, column]
    assert ours["PT-M2 BERT", "ew_sentence_r"] >= 0.945
    assert ours["PT-M2 BERT", "ew_sentence_rho"] >= 0.90
    assert ours["PT-ERRANT BERT", "ew_sentence_r"] == pytest.approx(0.941, abs=0.005)  # the published figure
    assert ours["BERTScore BERT", "ew_sentence_r"] < 0.4


@needs_encoder
def test_tables_8_and_6_and_figure_3_with_the_embedded_encoder(found: Reproduction) -> None:
    table8 = [row for row in found.rows if (row.cell.table, row.cell.column) == ("table8", "pt_m2")]
    scores = by_other_models(table8)
    assert scores["sentence 649 NTHU", "pt_m2"] > scores["sentence 649 PKU", "pt_m2"]
    inverse = rows_of(found, "gong2022", "figure3", "PT-M2 BERT, inverse")
    assert [row.verdict for row in inverse] == ["equal", "equal"]
    by_other_models(inverse)
    (best,) = (row for row in found.rows if (row.cell.table, row.cell.row, row.cell.column) == ("table6", "1", "pt_m2"))
    assert best.ours == "AMU"


@needs_lm
def test_perplexities_of_islam_and_magnanis_examples_stand_beside_theirs(found: Reproduction) -> None:
    """What does not fall with the embedded model as it does in the paper is said."""
    rows = [row for row in found.rows if row.cell.paper == "islam2021" and row.cell.column.startswith("ppl_")]
    ours = by_other_models(rows)
    rising = {name for name, column in ours if ours[name, "ppl_prediction"] >= ours[name, "ppl_source"]}
    assert rising == {"can not"}
    assert {row.cell.row for row in rows if "does not fall" in row.cause} == rising


def test_ratios_of_islam_and_magnanis_examples_are_as_printed(found: Reproduction) -> None:
    rows = [row for row in found.rows if row.cell.paper == "islam2021" and row.cell.column in ("tsr", "ldr")]
    assert Counter(row.verdict for row in rows) == {"equal": 6}


@needs_lm
def test_scribendi_with_the_embedded_model_is_close_to_people(found: Reproduction) -> None:
    ours = by_other_models(rows_of(found, "islam2021", "table3", "Scribendi"))
    assert min(ours.values()) >= 0.85


@needs_lm
def test_asanos_parts_with_what_is_here_in_their_place(found: Reproduction) -> None:
    """Fluency likes fluent rewrites more than minimal ones, and these more than the source, as in the paper."""
    fluency = by_other_models(rows_of(found, "asano2017", "table2", "fluency"))
    source, min_a, flu_a, min_b, flu_b = fluency.values()
    assert source < min_a < flu_a
    assert source < min_b < flu_b
    heilman = rows_of(found, "asano2017", "table2", "Heilman", "combined_Heilman")
    assert {row.verdict for row in heilman} == {"missing"}


def test_without_its_folder_a_corpus_lacks_the_other_references(conll14: Corpus, store: Store) -> None:
    found = reproduce("islam2021", conll14, store=store)
    (row,) = (row for row in found.rows if (row.cell.table, row.cell.row, row.cell.column) == ("table5", "1", "m2"))
    assert (row.verdict, row.why) == ("missing", "the folder of the corpus, with gold-with-alternatives.m2 in it")


def test_an_unknown_paper_is_refused(conll14: Corpus) -> None:
    with pytest.raises(OptionError, match="No paper 'knuth1984'"):
        reproduce("knuth1984", conll14)


def test_other_corpora_are_refused(conll14: Corpus) -> None:
    with pytest.raises(CorpusError, match="no INPUT"):
        reproduce("all", conll14.only([name for name in conll14.systems if name != "INPUT"]))


def test_the_command_prints_rows_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "asano2017", "--corpus", str(CONLL14), "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert list(printed["rows"][0]) == command.COLUMNS
    assert printed["counts"]["published"] == len(printed["rows"]) == 16 + 35
    (row,) = (row for row in printed["rows"] if (row["table"], row["row"], row["column"]) == ("table2", "M2", "source"))
    assert (row["published"], row["ours"], row["verdict"]) == (0.0, 0.0, "equal")


def test_the_table_ends_with_the_count(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "asano2017", "--corpus", str(CONLL14)]) == 0
    *_, last = capsys.readouterr().out.splitlines()
    assert last.startswith("51 figures published, ")
    assert "missing with what is missing" in last


def test_the_command_knows_all_papers() -> None:
    assert tuple(PAPERS) == command.PAPERS
