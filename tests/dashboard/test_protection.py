"""What the server sends, refuses and limits."""

from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from dashboard.protection import MOST_UPLOADED, Protection, headers


async def _page(request: Request) -> PlainTextResponse:
    return PlainTextResponse("page", headers={"X-Frame-Options": "DENY"} if "judge" in request.url.path else {})


async def _echo(socket: WebSocket) -> None:
    await socket.accept()
    async for content in socket.iter_bytes():
        await socket.send_bytes(content)


def visitor(uploaded: int = 0) -> TestClient:
    routes = [Route("/{path:path}", _page, methods=["GET", "PUT"]), WebSocketRoute("/_stcore/stream", _echo)]
    return TestClient(Protection(Starlette(routes=routes), lambda session: uploaded))


def test_every_answer_has_the_headers() -> None:
    answer = visitor().get("/rankings")
    assert answer.text == "page"
    for name, value in headers().items():
        assert answer.headers.get_list(name) == [value]
    assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]
    assert visitor().get("/judge").headers.get_list("x-frame-options") == ["DENY"]  # a page's own are stricter


def test_sites_that_may_show_it_in_a_frame_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEC_LENS_FRAMES", "https://example.org")
    answer = visitor().get("/")
    assert "frame-ancestors 'self' https://example.org" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/metrics/", "/lens/_stcore/metrics"])
def test_figures_of_the_server_are_not_for_visitors(path: str) -> None:
    assert visitor().get(path).status_code == 404


@pytest.mark.parametrize(
    ("uploaded", "content", "status"),
    [(0, b"text", 200), (MOST_UPLOADED - 4, b"text", 200), (MOST_UPLOADED - 3, b"text", 413)],
)
def test_what_a_visitor_uploads_has_a_limit(uploaded: int, content: bytes, status: int) -> None:
    assert visitor(uploaded).put("/_stcore/upload_file/session/file", content=content).status_code == status


def test_the_room_of_a_visitor_who_leaves_is_free_again(monkeypatch: pytest.MonkeyPatch) -> None:
    manager = MemoryUploadedFileManager("/_stcore/upload_file")
    monkeypatch.setattr("streamlit.runtime.get_instance", lambda: SimpleNamespace(uploaded_file_mgr=manager))
    monkeypatch.setattr("dashboard.protection.MOST_UPLOADED", 6)
    server = TestClient(Protection(Starlette(routes=[Route("/{path:path}", _page, methods=["PUT"])])))
    manager.add_file("mine", UploadedFileRec("file", "a.txt", "text/plain", b"text"))
    assert server.put("/_stcore/upload_file/mine/next", content=b"text").status_code == 413
    assert server.put("/_stcore/upload_file/yours/next", content=b"text").status_code == 200
    leaving = MagicMock(id="mine", _uploaded_file_mgr=manager)
    monkeypatch.setattr("streamlit.runtime.exists", lambda: False)
    AppSession.shutdown(leaving)  # which Streamlit calls when a visitor does not come back
    assert manager.file_storage == {}
    assert server.put("/_stcore/upload_file/mine/next", content=b"text").status_code == 200


def test_a_file_of_unknown_length_is_refused() -> None:
    def parts() -> Any:
        yield b"text"

    assert visitor().put("/_stcore/upload_file/session/file", content=parts()).status_code == 411


def test_messages_that_act_on_all_visitors_are_dropped() -> None:
    rerun = BackMsg()
    rerun.rerun_script.query_string = "corpus=demo"
    with visitor().websocket_connect("/_stcore/stream") as socket:
        for refused in (
            BackMsg(clear_cache=True),
            BackMsg(set_run_on_save=True),
            BackMsg(debug_shutdown_runtime=True),
            BackMsg(debug_disconnect_websocket=True),
        ):
            socket.send_bytes(refused.SerializeToString())
        socket.send_bytes(rerun.SerializeToString())
        assert socket.receive_bytes() == rerun.SerializeToString()
        socket.send_bytes(b"\xff\xff")
        assert socket.receive_bytes() == b"\xff\xff"  # for Streamlit to refuse
