"""Reading the HTML file of a report back, and a corpus whose every text is hostile."""

from html.parser import HTMLParser

from conftest import sentence

from gec_core.types import Corpus, CorpusInfo

HOSTILE = "<script>alert(1)</script> \"'&"


class Reader(HTMLParser):
    """Titles, paragraphs and rows of tables by section; all text; addresses and ids.

    Fails unless elements close in order.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.sections: dict[str, list[list[str]]] = {}
        self.titles: dict[str, str] = {}
        self.paragraphs: dict[str, list[str]] = {}
        self.text = ""
        self.addresses: list[str] = []
        self.ids: set[str] = set()
        self.open: list[str] = []
        self._rows: list[list[str]] | None = None
        self._cell: str | None = None
        self._section = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.addresses += [value for name, value in given.items() if name in ("href", "src", "action", "data")]
        self.ids |= {given["id"]} if "id" in given else set()
        if tag not in ("meta", "br"):
            self.open.append(tag)
        if tag == "section":
            self._section = given["id"]
            self._rows = self.sections.setdefault(self._section, [])
            self.paragraphs[self._section] = []
        elif tag in ("p", "li") and self._section and "figcaption" not in self.open:
            self.paragraphs[self._section].append("")
        elif tag == "tr" and self._rows is not None:
            self._rows.append([])
        elif tag in ("td", "th") and self._rows:
            self._cell = ""

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids |= {value or "" for name, value in attrs if name == "id"}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self._section = "" if tag == "section" else self._section
        if tag in ("td", "th") and self._cell is not None and self._rows:
            self._rows[-1].append(self._cell)
            self._cell = None

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data
        if self.open and self.open[-1] == "h2":
            self.titles[self._section] = data
        if {"p", "li"} & set(self.open) and self._section and "figcaption" not in self.open:
            self.paragraphs[self._section][-1] += data
        if self._cell is not None:
            self._cell += data


def hostile_corpus() -> Corpus:
    """Four sentences, two systems: every name and text holds a script."""
    given = tuple(sentence(f"{HOSTILE} a b {n}", f"{HOSTILE} a c {n}") for n in range(4))
    outputs = {f"{HOSTILE}1": [f"{HOSTILE} a c {n}" for n in range(4)], "B": [f"x {n}" for n in range(4)]}
    info = CorpusInfo(title=HOSTILE, notice=HOSTILE)
    return Corpus(HOSTILE, given, {name: tuple(lines) for name, lines in outputs.items()}, info=info)
