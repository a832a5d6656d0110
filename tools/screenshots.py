"""The pictures in docs/screenshots, taken from the dashboard on the demo corpus.

Run by `make screenshots`; `--out` puts them elsewhere.
"""

import argparse
import sys
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.browser import browser, dashboard, settled  # noqa: E402

SHOTS: list[tuple[str, str, int, Literal["light", "dark"]]] = [
    ("overview", "/?corpus=demo", 1280, "light"),
    ("rankings", "/rankings?corpus=demo", 1280, "light"),
    ("correlation", "/correlation?corpus=demo", 1280, "light"),
    ("agreement", "/agreement?corpus=demo", 1280, "light"),
    ("types", "/types?corpus=demo", 1280, "light"),
    ("disagreements", "/disagreements?corpus=demo&a=m2&b=judges", 1280, "light"),
    ("why", "/why?corpus=demo&first=FLUENT&second=CAREFUL&sides=m2&sides=judges", 1280, "light"),
    ("sentence", "/sentence?corpus=demo&sentence=7", 1280, "light"),
    ("my_system", "/my_system?corpus=demo&analyse=EAGER", 1280, "light"),
    ("guess", "/guess?corpus=demo", 1280, "light"),
    ("playground", "/playground?corpus=demo&preset=student", 1280, "light"),
    ("steps", "/playground?corpus=demo&preset=hospital&view=steps&metrics=imeasure", 1280, "light"),
    ("tour", "/tour?corpus=demo&step=7", 1280, "light"),
    ("metrics", "/metrics?corpus=demo", 1280, "light"),
    ("rankings-narrow", "/rankings?corpus=demo", 400, "light"),
    ("rankings-dark", "/rankings?corpus=demo", 1280, "dark"),
    ("sentence-narrow", "/sentence?corpus=demo&sentence=7", 400, "dark"),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "screenshots")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    with dashboard() as address, browser() as chromium:
        for name, path, width, scheme in SHOTS:
            page = chromium.new_page(viewport={"width": width, "height": 1200}, color_scheme=scheme)
            page.goto(address + path)
            settled(page)
            page.screenshot(path=out / f"{name}.png")
            page.close()
            print(out / f"{name}.png")


if __name__ == "__main__":
    main()
