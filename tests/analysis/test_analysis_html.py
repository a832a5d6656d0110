"""The HTML file: self-contained, escaped, and all of every section in it."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from conftest import sentence
from report_reader import HOSTILE, Reader, hostile_corpus

from gec_core import corpora
from gec_core.analysis import Analysis, analyse, page, report
from gec_core.analysis.document import TITLES, SectionTable, cell_text
from gec_core.analysis.html import changes
from gec_core.analysis.sentence_sections import pieces
from gec_core.metrics import create
from gec_core.scoring import score
from gec_core.types import Corpus


@pytest.fixture
def hostile() -> Analysis:
    corpus = hostile_corpus()
    return analyse(corpus, score(corpus, [create("m2"), create("gleu")]), "B", samples=20)


def test_metrics_that_were_not_scored_yet_are_named_at_the_top(hostile: Analysis) -> None:
    assert "not scored yet" not in page(report(hostile))
    opening = page(report(replace(hostile, waiting=("Scribendi Score", "<b>")))).split("<main>")[0]
    assert "Scribendi Score and &lt;b&gt; are left out: not scored yet." in opening


def test_texts_and_names_are_shown_as_text(hostile: Analysis) -> None:
    html = page(report(hostile))
    read = Reader(html)
    assert not read.open
    assert "<script" not in html
    assert html.count("&lt;script&gt;") > 20
    assert any(HOSTILE + "1" in cell for row in read.sections["significance"] for cell in row)


def test_every_section_is_there_with_its_title_prose_and_tables() -> None:
    demo = corpora.load("demo")
    found = report(analyse(demo, score(demo, [create("m2"), create("gleu")]), "EAGER", samples=20))
    shown = [section for section in (found.summary, *found.sections) if not section.missing]
    assert {section.id for section in shown} | {"types"} == set(TITLES)  # types need ERRANT
    read = Reader(page(found))
    for section in shown:
        assert read.titles[section.id] == section.title
        for each in (*section.prose, *section.notes, *section.warnings):
            assert each.text in read.text
        tables = (*section.tables, *(example.scores for example in section.examples))
        assert read.sections[section.id] == [row for table in tables for row in _rows(table)]


def _rows(table: SectionTable) -> Iterator[list[str]]:
    """The table as the file shows it."""
    columns = [(place, column) for place, column in enumerate(table.columns) if column.kind != "passage"]
    yield [column.name for _, column in columns]
    for row in table.rows[: table.brief]:
        yield [cell_text(column, row[place]) for place, column in columns]


def test_it_needs_nothing_from_elsewhere_and_its_links_lead_somewhere(hostile: Analysis) -> None:
    html = page(report(hostile))
    read = Reader(html)
    assert read.addresses
    assert all(address.startswith("#") for address in read.addresses)
    assert {address[1:] for address in read.addresses} <= read.ids
    assert not re.search(r"url\(|@import|https?:", html)
    assert "default-src 'none'" in html


def test_a_report_of_the_dashboard_links_to_the_page_why(hostile: Analysis) -> None:
    read = Reader(page(report(replace(hostile, dashboard="http://lens.test/"))))
    leading_out = [address for address in read.addresses if not address.startswith("#")]
    assert [address.partition("?")[0] for address in leading_out] == ["http://lens.test/why"]


def test_a_system_alone_and_equal_scores_can_be_reported() -> None:
    corpus = Corpus("made", tuple(sentence("a b", "a b") for _ in range(3)), {"A": ("a b",) * 3})
    table = score(corpus, [create("m2"), create("constant")])
    read = Reader(page(report(analyse(corpus, table, "A", samples=5))))
    assert read.sections["standing"][1][:3] == ["M²", "1.0000", "1.0000"]
    assert "significance" not in read.sections


def test_changes_are_marked() -> None:
    assert changes(pieces("a b c", "a x c d")) == "a <del>b</del> <ins>x</ins> c <ins>d</ins>"
    assert changes(pieces("<b>", "<i>")) == "<del>&lt;b&gt;</del> <ins>&lt;i&gt;</ins>"
    assert changes(pieces("", "")) == "<i>(empty)</i>"
