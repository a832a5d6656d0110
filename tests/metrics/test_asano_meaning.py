import zipfile
from pathlib import Path

import pytest

from gec_core.errors import MissingInput
from gec_core.metrics.asano.meaning import WordNet, find_wordnet, wordnet_id

INDEX = {
    "noun": "  1 a licence\nillness n 1 1 @ 1 0 11\ndisease n 2 1 @ 2 0 11 12\nbase n 1 0 1 0 13\n",
    "verb": "go v 2 0 2 0 21 22\ntravel v 1 0 1 0 21\nbake v 1 0 1 0 23\nmove v 1 0 1 0 22\n",
    "adj": "big a 1 0 1 0 31\nlarge a 1 0 1 0 31\n",
    "adv": "",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for part, text in INDEX.items():
        (tmp_path / f"index.{part}").write_text(text)
    (tmp_path / "verb.exc").write_text("went go\n")
    return tmp_path


def test_words_share_synsets_in_any_form(folder: Path) -> None:
    net = WordNet(folder)
    assert net.synsets("illnesses") & net.synsets("Disease") == {("noun", "11")}
    assert net.synsets("went") & net.synsets("travels") == {("verb", "21")}
    assert net.synsets("baking") == {("verb", "23")}
    assert net.synsets("larger") == net.synsets("big")
    assert net.synsets("unknown") == frozenset()


def test_it_is_found_where_nltk_leaves_it(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "data" / "corpora" / "wordnet.zip"
    archive.parent.mkdir(parents=True)
    with zipfile.ZipFile(archive, "w") as file:
        for part, text in INDEX.items():
            file.writestr(f"wordnet/index.{part}", text)
    monkeypatch.setenv("NLTK_DATA", str(tmp_path / "data"))
    assert find_wordnet() == archive
    net = WordNet(archive)
    assert net.synsets("goes") == {("verb", "21"), ("verb", "22")}
    assert wordnet_id(archive) == wordnet_id(folder)


def test_a_wrong_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingInput, match=r"no WordNet found.*index\.noun"):
        find_wordnet(str(tmp_path))
