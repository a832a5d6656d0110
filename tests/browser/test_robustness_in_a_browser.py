"""The button of the page Robustness that puts an LLM judge on trial, with an endpoint that answers by a script."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scripted_endpoint import scores, scripted
from visiting import go, in_chromium, new_page, playwright, settled

from tools.browser import dashboard

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = in_chromium


def test_the_button_puts_a_judge_on_trial_and_no_key_is_shown(chromium: "Browser", tmp_path: Path) -> None:
    def answer(request: dict[str, Any]) -> str:
        return scores(request, lambda source, text: 1 + len(text) % 5)

    secret = "key-that-nobody-sees"
    with scripted(answer) as server:
        environment = {
            "GEC_LENS_LLM_URL": server.url,
            "GEC_LENS_LLM_MODEL": "script",
            "GEC_LENS_LLM_KEY": secret,
            "GEC_LENS_CACHE": str(tmp_path / "cache"),
        }
        with dashboard(environment) as address:
            page = new_page(chromium)
            go(page, address, "/robustness?corpus=demo&view=trial&first=2&metrics=length")
            assert not server.requests
            page.get_by_role("button", name="Put on trial").first.click()
            card = page.get_by_role("button", name="Download CSV").or_(page.get_by_test_id("stDataFrame"))
            playwright.expect(card.first).to_be_visible()
            settled(page)
            asked = len(server.requests)
            times = Counter(frozenset(data["corrections"].values()) for data in server.data)
            assert times
            for outputs, count in times.items():  # a single output has no opposite order
                assert count == (3 if len(outputs) > 1 else 2)
            assert set(server.keys) == {f"Bearer {secret}"}
            assert secret not in page.content()
            go(page, address, "/robustness?corpus=demo&view=trial&first=2&metrics=length")
            playwright.expect(card.first).to_be_visible()  # the card is kept
            assert len(server.requests) == asked
            page.close()
    for file in (path for path in tmp_path.rglob("*") if path.is_file()):
        assert secret.encode() not in file.read_bytes(), file
