"""Small corpora for the running dashboard: text that tries to be more than text, and a long sentence."""

import json
from pathlib import Path

HOSTILE = (
    "<script>document.title='caught'</script> <img src=x onerror=\"document.title='caught'\"> "
    "**bold** $x$ :smile: \u202eabc"
)


def write_corpora(folder: Path) -> None:
    """Write the corpora `hostile` and `long` into a folder."""
    hostile = folder / "hostile"
    (hostile / "systems").mkdir(parents=True)
    (hostile / "references").mkdir()
    lines = [HOSTILE, "a b c d", "e f g h"]
    (hostile / "source.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (hostile / "references" / "r.txt").write_text("\n".join([*lines[:2], "e f g i"]) + "\n", encoding="utf-8")
    for name, changed in {"<b>A</b>": "a b c x", "B": "a x c d", "C": "x b c d", "D": "a b c d"}.items():
        text = "\n".join([f"{HOSTILE} {name[0]}", changed, "e f g h"]) + "\n"
        (hostile / "systems" / f"{name.replace('/', '∕')}.txt").write_text(text, encoding="utf-8")
    (hostile / "human.tsv").write_text("<b>A<∕b>\t4\nB\t3\nC\t2\nD\t1\n", encoding="utf-8")
    (hostile / "corpus.toml").write_text(
        f"title = {json.dumps(HOSTILE)}\nnotice = {json.dumps(HOSTILE)}\n", encoding="utf-8"
    )
    long = folder / "long"
    (long / "systems").mkdir(parents=True)
    (long / "references").mkdir()
    source = " ".join(f"word{number}" for number in range(59)) + " ."
    for path, changed in {
        "source": source,
        "references/r": "word9 word30",
        "systems/A": "word9",
        "systems/B": "word30 word31",
    }.items():
        line = (
            source if path == "source" else " ".join(w.upper() if w in changed.split() else w for w in source.split())
        )
        (long / f"{path}.txt").write_text(line + "\n", encoding="utf-8")
