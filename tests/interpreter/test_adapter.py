"""`python -m pbem.interpreter` against a server on this machine that speaks the OpenAI interface."""

import json
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from pbem.interpreter.__main__ import read
from pbem.interpreter.program import Answer, InterpreterError, Program

QUESTION = {
    "protocol": 1,
    "language": "en",
    "game": "Ozymandia",
    "seat": "Red",
    "letter": "Let the three lads stroll over to Muster",
    "rules": "3 A to M    three pieces move",
    "position": "A  Red 3",
    "asked": ["a draw offered to you"],
    "standing": "",
    "examples": ["1 A to AC"],
    "commands": [["draw", "offers a draw"]],
}
READING = {"orders": "3 A to M", "because": ["stroll over to Muster"]}


class Server(HTTPServer):
    """A server whose model says what it is told to say."""

    says: list[str]
    refuses: tuple[str, ...] = ()  # parts of a request, and kinds of `response_format`
    key = ""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[dict[str, Any]] = []
        self.says = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append({"path": self.path, "key": self.headers.get("Authorization"), **body})
        kind = body.get("response_format", {}).get("type", "")
        if not {kind, *body}.isdisjoint(self.server.refuses):
            self.send_error(400)
            return
        answer = json.dumps({"choices": [{"message": {"content": self.server.says.pop(0)}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    thread = Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def options() -> str:
    return ""


@pytest.fixture
def program(server: Server, tmp_path: Path, options: str) -> Iterator[Program]:
    (tmp_path / "key").write_text("sesame\n")
    command = f"{sys.executable} -m pbem.interpreter --key-file key {options} {server.url} tiny"
    program = Program(command, tmp_path)
    yield program
    program.close()


def check(line: Answer) -> dict[str, Any]:
    if line.grammar:
        return {"grammar": 'orders: "3 A to M"\n'}
    legal = line.attempt == "3 A to M"
    return {
        "legal": legal,
        "orders": "3 A to M" if legal else "",
        "mistakes": [] if legal else ["There are only three."],
    }


def test_orders_are_checked_by_the_desk_before_they_are_the_answer(server: Server, program: Program) -> None:
    server.says = [json.dumps({**READING, "orders": "4 A to M"}), json.dumps(READING)]
    answer = program.ask(QUESTION, check, 20)
    assert (answer.orders, answer.because) == ("3 A to M", ("stroll over to Muster",))
    first, second = server.asked
    assert (first["path"], first["key"], first["model"]) == ("/v1/chat/completions", "Bearer sesame", "tiny")
    system, question = (message["content"] for message in first["messages"])
    assert "one JSON object" in system
    for text in ("Ozymandia", "A  Red 3", "1 A to AC", "draw: offers a draw", "a draw offered to you", "three lads"):
        assert text in question
    assert "There are only three." in second["messages"][-1]["content"]


def test_a_server_that_knows_no_schema_is_asked_for_less(server: Server, program: Program) -> None:
    server.refuses = ("json_schema", "json_object")
    server.says = [f"Sure! Here it is:\n```json\n{json.dumps(READING)}\n```", json.dumps(READING)]
    assert program.ask(QUESTION, check, 20).orders == "3 A to M"
    assert program.ask(QUESTION, check, 20).orders == "3 A to M"
    kinds = [one.get("response_format", {}).get("type") for one in server.asked]
    assert kinds == ["json_schema", "json_object", None, None]


@pytest.mark.parametrize("options", ["--grammar llama.cpp"])
def test_a_server_that_can_holds_the_model_to_the_grammar_of_the_orders(server: Server, program: Program) -> None:
    server.says = [json.dumps({**READING, "orders": "4 A to M"}), json.dumps(READING)]
    assert program.ask(QUESTION, check, 20).orders == "3 A to M"
    for asked in server.asked:
        assert asked["grammar"].startswith("%llguidance {}\nstart: ")
        assert asked["grammar"].endswith('\norders: "3 A to M"\n\n')
        assert "response_format" not in asked


@pytest.mark.parametrize("options", ["--grammar vllm"])
def test_a_server_that_refuses_the_grammar_is_asked_for_less(server: Server, program: Program) -> None:
    server.refuses = ("structured_outputs", "json_schema")
    server.says = [json.dumps(READING), json.dumps(READING)]
    assert program.ask(QUESTION, check, 20).orders == "3 A to M"
    assert program.ask(QUESTION, check, 20).orders == "3 A to M"
    assert 'orders: "3 A to M"' in server.asked[0]["structured_outputs"]["grammar"]
    kinds = [one.get("response_format", {}).get("type") for one in server.asked]
    assert kinds == [None, "json_schema", "json_object", "json_object"]
    assert not any("structured_outputs" in one for one in server.asked[1:])


def test_a_model_that_finds_no_legal_orders_asks(server: Server, program: Program) -> None:
    server.says = [json.dumps({**READING, "orders": "4 A to M"})] * 9
    assert program.ask(QUESTION, check, 20).asks
    assert len(server.asked) == 5


def test_a_server_that_is_gone_is_a_failure(server: Server, tmp_path: Path) -> None:
    program = Program(f"{sys.executable} -m pbem.interpreter http://127.0.0.1:1/v1 tiny", tmp_path)
    try:
        with pytest.raises(InterpreterError, match="ended before it had answered"):
            program.ask(QUESTION, check, 20)
    finally:
        program.close()


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ('{"command": "draw", "because": ["peace"]}', {"command": "draw", "because": ["peace"]}),
        ('{"orders": "", "command": "draw", "asks": "", "because": []}', {"command": "draw"}),
        ('{"asks": "Which?"}', {"asks": "Which?"}),
        ('{"orders": "3 A to M", "command": "draw"}', {"asks": "The model gave no clear answer."}),
        ("I cannot help with that.", {"asks": "The model gave no clear answer."}),
        ("} {", {"asks": "The model gave no clear answer."}),
        ('{"orders": ["3 A to M"]}', {"asks": "The model gave no clear answer."}),
        ('{"orders": "3 A to M", "because": "stroll"}', {"asks": "The model gave no clear answer."}),
        ('{"answer": "maybe"}', {"asks": "The model gave no clear answer."}),
        ('{"what": [1, 2]}', {"asks": "The model gave no clear answer."}),
    ],
)
def test_what_a_model_says_is_read_or_is_a_question(said: str, answer: dict[str, Any]) -> None:
    assert read(said) == answer
