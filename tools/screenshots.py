"""The pictures in docs/screenshots, taken from the dashboard on the demo corpus.

Run by `make screenshots`; `--out` puts them elsewhere.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.browser import browser, dashboard, settled  # noqa: E402

SHOTS = [
    ("rankings", "/?corpus=demo", 1280, "light"),
    ("rankings-dark", "/?corpus=demo", 1280, "dark"),
    ("rankings-narrow", "/?corpus=demo", 400, "light"),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "screenshots")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    with dashboard() as address, browser() as chromium:
        for name, path, width, scheme in SHOTS:
            page = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
            page.goto(address + path)
            settled(page)
            page.screenshot(path=out / f"{name}.png")
            page.close()
            print(out / f"{name}.png")


if __name__ == "__main__":
    main()
