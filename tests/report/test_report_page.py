"""The report: self-contained, escaped, and with the numbers of the command line."""

import csv
import io
import json
import re
import shlex
import zipfile
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from conftest import sentence
from errant_cases import needs_errant

from gec_core import corpora
from gec_core.analysis import analyse
from gec_core.cli import main, parser
from gec_core.metrics import create
from gec_core.report import bundle, figures, page
from gec_core.report.figures import Estimate
from gec_core.report.markup import marked, number, probability, signed, span
from gec_core.report.page import command
from gec_core.scoring import score
from gec_core.types import Corpus, CorpusInfo

HOSTILE = "<script>alert(1)</script> \"'&"


class Reader(HTMLParser):
    """Tables as rows of texts by section; addresses and ids; and whether all elements are closed in order."""

    def __init__(self, html):
        super().__init__()
        self.sections, self.rows, self.cell = {}, None, None
        self.addresses, self.ids, self.open = [], set(), []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.addresses += [value for name, value in attributes if name in ("href", "src", "action", "data")]
        self.ids |= {given["id"]} if "id" in given else set()
        if tag not in ("meta", "br"):
            self.open.append(tag)
        if tag == "section":
            self.rows = self.sections.setdefault(given["id"], [])
        elif tag == "tr" and self.rows is not None:
            self.rows.append([])
        elif tag in ("td", "th") and self.rows:
            self.cell = ""

    def handle_startendtag(self, tag, attributes):
        self.ids |= {value for name, value in attributes if name == "id"}

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        if tag in ("td", "th") and self.cell is not None:
            self.rows[-1].append(self.cell)
            self.cell = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell += data


@pytest.fixture
def hostile():
    given = tuple(sentence(f"{HOSTILE} a b {n}", f"{HOSTILE} a c {n}") for n in range(4))
    outputs = {f"{HOSTILE}1": [f"{HOSTILE} a c {n}" for n in range(4)], "B": [f"x {n}" for n in range(4)]}
    info = CorpusInfo(title=HOSTILE, notice=HOSTILE)
    corpus = Corpus(HOSTILE, given, {name: tuple(lines) for name, lines in outputs.items()}, info=info)
    return analyse(corpus, score(corpus, [create("m2"), create("gleu")]), "B", samples=20)


def test_metrics_that_were_not_scored_yet_are_named_at_the_top(hostile):
    assert "not scored yet" not in page(hostile)
    opening = page(replace(hostile, waiting=("Scribendi Score", "<b>"))).split("<main>")[0]
    assert "Without Scribendi Score and &lt;b&gt;, which were not scored yet when this report was made." in opening


def test_texts_and_names_are_shown_as_text(hostile):
    html = page(hostile)
    read = Reader(html)
    assert not read.open
    assert "<script" not in html
    assert html.count("&lt;script&gt;") > 20
    assert any(HOSTILE + "1" in cell for row in read.sections["standing"] for cell in row)


def test_it_needs_nothing_from_elsewhere_and_its_links_lead_somewhere(hostile):
    html = page(hostile)
    read = Reader(html)
    assert read.addresses
    assert all(address.startswith("#") for address in read.addresses)
    assert {address[1:] for address in read.addresses} <= read.ids
    assert not re.search(r"url\(|@import|https?:", html)
    assert "default-src 'none'" in html


def test_the_same_analysis_gives_the_same_files(hostile):
    assert bundle(hostile) == bundle(hostile)


def test_a_system_alone_and_equal_scores_can_be_reported():
    corpus = Corpus("made", tuple(sentence("a b", "a b") for _ in range(3)), {"A": ("a b",) * 3})
    read = Reader(page(analyse(corpus, score(corpus, [create("m2"), create("constant")]), "A", samples=5)))
    assert read.sections["standing"][1][:3] == ["M²", "1.0000", "1.0000"]
    assert "significance" not in read.sections


def test_it_says_how_to_make_it_anew():
    corpus = Corpus("made up", (sentence("a b", "a c"), sentence("d", "d")), {"A": ("a c", "d"), "B": ("a b", "d")})
    table = score(corpus, [create("m2", {"beta": "1"}), create("gleu")])
    asked = command(analyse(corpus, table, "A", samples=7, seed=3)).removeprefix("python -m gec_core ")
    given = parser().parse_args(shlex.split(asked))
    assert (given.corpus, given.system, given.against) == ("made up", ["A"], "B")
    assert (given.metric, given.option, given.samples, given.seed) == (["m2,gleu"], ["m2.beta=1.0"], 7, 3)


@needs_errant
def test_every_number_is_the_command_lines(tmp_path, capsys):
    """`score` and `types` on the same corpus, system added; all digits in the zip, four on the page."""
    mine = tmp_path / "mine.txt"
    metrics = ("--metric", "m2,errant,imeasure,gleu")
    saved = tmp_path / "demo"
    _copy_demo(saved, mine)
    out = ("--out", str(tmp_path / "r.html"), "--zip", str(tmp_path / "r.zip"))
    asked = ["--corpus", "demo", "--system", f"MINE={mine}", "--against", "CAREFUL", *metrics, "--samples", "50"]
    assert main(["report", *asked, *out]) == 0
    capsys.readouterr()
    with zipfile.ZipFile(tmp_path / "r.zip") as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    assert files["report.html"] == (tmp_path / "r.html").read_text(encoding="utf-8")
    numbers = json.loads(files["numbers.json"])

    assert main(["score", "--corpus", str(saved), *metrics, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert numbers["about"]["fingerprint"] == told["fingerprint"]
    expected = {(row["signature"], row["system"]): row["score"] for row in told["rows"]}
    assert {(row["signature"], row["system"]): row["score"] for row in numbers["standings"]} == expected
    rows = list(csv.DictReader(io.StringIO(files["standings.csv"])))
    assert {(row["signature"], row["system"]): float(row["score"]) for row in rows} == expected
    read = Reader(files["report.html"])
    shown = {row[0]: row[1] for row in read.sections["standing"][1:]}
    names = {create(id).name: create(id).signature for id in ("m2", "errant", "imeasure", "gleu")}
    assert shown == {name: number(expected[signature, "MINE"]) for name, signature in names.items()}
    for row in numbers["significance"]:
        difference = expected[row["signature"], "MINE"] - expected[row["signature"], row["rival"]]
        assert row["difference"] == difference

    both = ["--systems", "MINE,CAREFUL", "--level", "group", "--format", "json"]
    assert main(["types", "--corpus", str(saved), *both]) == 0
    told = json.loads(capsys.readouterr().out)
    assert numbers["error_types"] == told["rows"]
    found = {row[0]: row[1:3] for row in read.sections["types"][1:]}
    for row in told["rows"]:
        assert found[row["type"]][row["system"] == "CAREFUL"] == str(row["tp"])


FORMULA = "=1+1"


def test_names_that_are_formulas_are_text_in_csv():
    corpus = Corpus("made", (sentence("a b", "a c"), sentence("d", "d")), {FORMULA: ("a c", "d"), "B": ("a b", "d")})
    with zipfile.ZipFile(
        io.BytesIO(bundle(analyse(corpus, score(corpus, [create("m2")]), FORMULA, samples=5)))
    ) as zipped:
        rows = list(csv.DictReader(io.StringIO(zipped.read("standings.csv").decode())))
        numbers = json.loads(zipped.read("numbers.json"))
    assert {row["system"] for row in rows} == {f"'{FORMULA}", "B"}
    assert {row["system"] for row in numbers["standings"]} == {FORMULA, "B"}  # programs run no formulas


def _by_rules(source):
    return re.sub(r"\ba (?=[aeiou])", "an ", source).replace("informations", "information")


def _copy_demo(saved, mine):
    """The demo corpus with outputs made by a few rules, as a folder and as a file."""
    demo = corpora.load("demo")
    outputs = tuple(_by_rules(each.source) for each in demo.sentences)
    mine.write_text("".join(f"{line}\n" for line in outputs), encoding="utf-8")
    corpora.save(replace(demo, systems={**demo.systems, "MINE": outputs}), saved)


def test_numbers_in_words():
    assert (number(None), number(-0.5), number(1234.5, 1)) == ("–", "−0.5000", "1,234.5")
    assert (signed(0.25), signed(-3, 0), signed(0, 0), signed(-0.00001)) == ("+0.2500", "−3", "0", "0.0000")
    assert (span(1, 1, 0), span(2, 5, 0)) == ("1", "2 to 5")
    assert (probability(1 / 1001), probability(0.0312), probability(None)) == ("&lt; 0.001", "0.031", "–")


def test_changes_are_marked():
    assert marked("a b c", "a x c d") == "a <del>b</del> <ins>x</ins> c <ins>d</ins>"
    assert marked("<b>", "<i>") == "<del>&lt;b&gt;</del> <ins>&lt;i&gt;</ins>"
    assert marked("", "") == "<i>(empty)</i>"


def test_figures_mark_the_system_in_more_than_colour():
    svg = figures.scores(
        [Estimate("A", 0.5, 0.4, 0.6, "mine"), Estimate("B", 0.3, 0.3, 0.3, "rival"), Estimate("C", 0, 0, 0)]
    )
    assert ("<rect class=dot" in svg, "<path class=dot" in svg, "<circle class=dot" in svg) == (True, True, True)
    assert "A: 0.5000 (0.4000 to 0.6000)" in svg


@pytest.mark.parametrize("value", [1e15, -1e15, 1e17, 1e300, 123456789.125, 0.0])
@pytest.mark.parametrize("spread", [0.0, 5e-324, 1e-12, 0.125])
def test_large_and_equal_scores_are_drawn(value, spread):
    drawn = figures.scores([Estimate("A", value, value, value + spread), Estimate("B", value, value, value)])
    places = [float(x) for x in re.findall(r" (?:x|x1|x2|cx)=([-\d.]+)", drawn)]
    assert all(0 <= x <= figures.WIDTH for x in places)
    assert 1 <= drawn.count("class=tick") <= 10


def test_more_wrong_edits_are_no_gain():
    found, overdone = figures.gains([("DET", 3)]), figures.gains([("DET", 3)], more_is_better=False)
    assert ('class="gain"' in found, 'class="loss"' in overdone) == (True, True)


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.0, 1.0, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (-7.9, 1.3, ["−6", "−4", "−2", "0"]),
        (1, 14, ["2", "4", "6", "8", "10", "12", "14"]),
    ],
)
def test_axes_have_round_numbers(low, high, ticks):
    drawn = figures.Axis(low, high, 50).drawn(100)
    assert re.findall(r"middle>([^<]+)<", drawn) == ticks
