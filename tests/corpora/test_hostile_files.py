"""Whatever a file contains, it is read or refused: no reader fails in any other way."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from corpus_files import M2, text_file
from hypothesis import given
from hypothesis import strategies as st

from gec_core.corpora import imeasure_xml, judgments, m2
from gec_core.corpora.folder import parse_toml
from gec_core.corpora.text import TextFile
from gec_core.errors import CorpusError

XML = '<?xml version="1.0" encoding="utf-8"?><x><ranking-item src-id="1" user="a"><translation rank="1" system="A"/>'
XML += '</ranking-item><sentence numann="1"><text>a b</text><error req="no"><alt ann="0"><c start="0" end="1"/></alt>'
XML += "</error></sentence></x>"
CSV = "srcIndex,judgeID,system1Id,system1rank,system2Id,system2rank\n0,ann,A,1,B,2\n"
READERS = [
    (TextFile.lines, "a b\n"),
    (m2.read, M2),
    (imeasure_xml.read, XML),
    (judgments.read_rankings, XML),
    (judgments.read_pairs, CSV),
    (judgments.read_scores, "A\t1\n"),
    (parse_toml, "title = 'a'\n"),
]


@pytest.mark.parametrize(("reader", "sound"), READERS)
@given(data=st.data())
def test_only_corpus_errors(
    tmp_path_factory: pytest.TempPathFactory, reader: Callable[[TextFile], object], sound: str, data: st.DataObject
) -> None:
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(sound))] * 2)))
    junk = data.draw(st.binary(max_size=8) | st.text("0123456789|<>&\"'\n\t\r -SA=", max_size=8).map(str.encode))
    content = sound[:start].encode() + junk + sound[end:].encode()
    with suppress(CorpusError):
        reader(text_file(tmp_path_factory.getbasetemp(), content, "hostile"))


@pytest.mark.parametrize("encoding", ["rot13", "utf-7", "shift_jis", "nosuch", "idna", "base64", "utf-16"])
def test_xml_that_claims_a_strange_encoding(tmp_path_factory: pytest.TempPathFactory, encoding: str) -> None:
    with pytest.raises(CorpusError, match=r"^hostile"):
        judgments.read_rankings(text_file(tmp_path_factory.getbasetemp(), XML.replace("utf-8", encoding), "hostile"))
