"""Print what is said to every bad input that the tests know: python tools/bad_inputs.py > bad-inputs.md

The command line, files and uploads are tried here and now, as the tests try them. Addresses take a page each; what
they say is looked at by tests/dashboard/test_bad_inputs.py.
"""

import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), *(str(ROOT / "tests" / part) for part in ("", "cli", "dashboard"))]


def main() -> None:
    import test_bad_inputs as uploads
    import test_cli_bad_inputs as commands

    from gec_core.corpora.uploads import Upload, read_outputs

    with tempfile.TemporaryDirectory() as folder:
        os.environ["GEC_LENS_CACHE"] = folder
        os.chdir(folder)
        print("| input | what is said |\n|---|---|")
        for arguments in commands.ARGUMENTS:
            _row(" ".join(map(repr, arguments)), _said(arguments))
        for name, arguments in _files(commands.FILES, commands.SOUND, commands.M2, commands.OUTPUTS):
            _row(name, _said([*arguments, "--no-store"]))
        for kind, (name, content) in uploads.FILES.items():
            found = read_outputs([Upload(name, content)], uploads.DEMO)
            _row(f"upload: {kind}", " ".join(each.message for one in found for each in one.findings))


def _files(
    kinds: dict[str, bytes], sound: dict[str, bytes], golds: list[str], outputs: dict[str, bytes]
) -> Iterator[tuple[str, list[str]]]:
    """Files that are written to this folder, with the arguments that read them."""
    asked = ["score", "--source", "s.txt", "--ref", "r.txt", "--hyp", "A=h.txt", "--metric", "length"]
    for kind, role in product(kinds, sound):
        for name, content in (sound | {role: kinds[kind]}).items():
            Path(f"{name}.txt").write_bytes(content)
        yield f"{kind} as {role}.txt", asked
    for name, content in sound.items():
        Path(f"{name}.txt").write_bytes(content)
    for name, content in outputs.items():
        Path(name).write_bytes(content)
        yield name, ["score", "--source", "s.txt", "--hyp", f"A={name}", "--metric", "length"]
    for text in golds:
        Path("g.m2").write_text(text, encoding="utf-8")
        yield f"g.m2: {text!r}", ["score", "--m2", "g.m2", "--hyp", "A=h.txt", "--metric", "m2", "--strict"]


def _said(arguments: list[str]) -> str:
    """The exit code and the last line of what the command says."""
    from gec_core.cli import main as command

    told = io.StringIO()
    with contextlib.redirect_stderr(told), contextlib.redirect_stdout(io.StringIO()):
        try:
            code = command(arguments)
        except SystemExit as left:  # by argparse
            code = int(str(left.code))
    return f"{code}: {(told.getvalue().strip().splitlines() or [''])[-1]}"


def _row(what: str, said: str) -> None:
    cells = (" ".join(text.split()).replace("|", "\\|")[:300] for text in (what, said))
    print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
