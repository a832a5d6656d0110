"""An OpenAI-compatible endpoint that answers by a script, and logs what it was sent."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = str | tuple[int, dict[str, str], str]
"""What the model says, or a code, headers and a body."""


@dataclass
class Scripted:
    """The endpoint's address, and all requests that came in."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    """The models that it lists, if it lists any."""

    @property
    def data(self) -> list[dict[str, Any]]:
        """What the judge was to score, request by request."""
        return [asked(request) for request in self.requests]


def asked(request: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(request["messages"][1]["content"])
    return found


def scores(request: dict[str, Any], score: Callable[[str, str], int]) -> str:
    """A valid answer: each output scored by its source and text (or edits)."""
    data = asked(request)
    return json.dumps({"scores": {letter: score(data["source"], text) for letter, text in data["corrections"].items()}})


@contextmanager
def scripted(answer: Callable[[dict[str, Any]], Answer]) -> Iterator[Scripted]:
    """Serve on a free port of this machine while the block runs."""
    log: Scripted

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            log.requests.append(body)
            log.keys.append(self.headers.get("Authorization", ""))
            said = answer(body)
            if isinstance(said, str):
                said = 200, {}, json.dumps({"choices": [{"message": {"role": "assistant", "content": said}}]})
            code, headers, text = said
            self.send_response(code)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text.encode())

        def do_GET(self) -> None:
            listed = self.path == "/v1/models" and log.models
            self.send_response(200 if listed else 404)
            self.end_headers()
            self.wfile.write(json.dumps({"data": [{"id": name} for name in log.models]}).encode())

        def log_message(self, *arguments: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *arguments: Any) -> None:
            """A client that gives up is part of the script."""

    server = Server(("127.0.0.1", 0), Handler)
    log = Scripted(f"http://127.0.0.1:{server.server_port}/v1")
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield log
    finally:
        server.shutdown()
        server.server_close()
