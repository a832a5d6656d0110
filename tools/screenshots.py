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
    ("overview", "/?corpus=demo", 1280, "light"),
    ("overview-narrow", "/?corpus=demo", 400, "dark"),
    ("rankings", "/rankings?corpus=demo", 1280, "light"),
    ("rankings-dark", "/rankings?corpus=demo", 1280, "dark"),
    ("rankings-narrow", "/rankings?corpus=demo", 400, "light"),
    ("correlation", "/correlation?corpus=demo", 1280, "light"),
    ("agreement", "/agreement?corpus=demo", 1280, "light"),
    ("agreement-judge", "/agreement?corpus=demo&view=judge", 1280, "light"),
    ("agreement-ties", "/agreement?corpus=demo&view=ties", 1280, "light"),
    ("metrics", "/metrics?corpus=demo", 1280, "light"),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "screenshots")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    with dashboard() as address, browser() as chromium:
        for name, path, width, scheme in SHOTS:
            page = chromium.new_page(viewport={"width": width, "height": 1500}, color_scheme=scheme)
            page.goto(address + path)
            settled(page)
            page.screenshot(path=out / f"{name}.png", full_page=True)
            page.close()
            print(out / f"{name}.png")


if __name__ == "__main__":
    main()
