"""An interpreter that asks a language model on a server with the OpenAI interface, such as llama.cpp, vLLM or Ollama:

    python -m pbem.interpreter [--key-file FILE] [--grammar SERVER] URL MODEL

URL is the address of the interface, such as http://127.0.0.1:8080/v1. The program reads questions from its standard
input, as docs/interpreter.md describes. It has the desk check all orders that the model suggests, and tells the model
about mistakes. With `--grammar`, SERVER (llama.cpp or vllm) holds the model to the grammar of the game's orders.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pbem.interpreter.program import TRIES, Answer
from pbem.resources import resource
from pbem.typed import keys_of

_KEYS = [key for key in keys_of(Answer) if key not in ("id", "try", "grammar")]
_TEXT, _LIST = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
_SCHEMA = {
    "type": "object",
    "properties": {key: _LIST if key == "because" else _TEXT for key in _KEYS},
    "additionalProperties": False,
}
_Form: TypeAlias = Callable[[str], Mapping[str, Any]]
"""A function that returns the part of a request that asks for a form of the answer, given a grammar of it."""

_GRAMMARS: Mapping[str, _Form] = {
    "llama.cpp": lambda grammar: {"grammar": f"%llguidance {{}}\n{grammar}"},
    "vllm": lambda grammar: {"structured_outputs": {"grammar": grammar}},
}
"""The forms that hold an answer to a grammar in Lark, which these servers read with llguidance."""
_FORMS: tuple[_Form, ...] = (
    lambda _: {"response_format": {"type": "json_schema", "json_schema": {"name": "reading", "schema": _SCHEMA}}},
    lambda _: {"response_format": {"type": "json_object"}},
    lambda _: {},
)
_MOST_TOKENS = 800
_SECONDS = 300.0  # the desk ends the program earlier


class Model:
    """A language model on a server, which holds its answers to a grammar if the `server` is in _GRAMMARS."""

    def __init__(self, url: str, name: str, key: str = "", server: str = "") -> None:
        self._url, self._name, self._key = f"{url.rstrip('/')}/chat/completions", name, key
        self._forms = [*(form for known, form in _GRAMMARS.items() if known == server), *_FORMS]

    @property
    def takes_grammar(self) -> bool:
        """Whether `say` passes a grammar to the server."""
        return self._forms[0] in _GRAMMARS.values()

    def say(self, messages: list[dict[str, str]], grammar: str = "") -> str:
        """Return the model's answer to `messages`, held to `grammar` if the server takes one. If the server refuses a
        form for the answer, less is asked of it from then on."""
        body = {"model": self._name, "messages": messages, "temperature": 0, "max_tokens": _MOST_TOKENS}
        while True:
            try:
                answer = self._post({**body, **self._forms[0](grammar)})
                return str(answer["choices"][0]["message"]["content"])
            except HTTPError as error:
                if error.code not in (400, 422) or len(self._forms) == 1:
                    raise
                self._forms.pop(0)

    def _post(self, body: Mapping[str, Any]) -> Any:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self._key}"} if self._key else {})
        request = Request(self._url, json.dumps(body).encode(), headers)  # noqa: S310 - the operator's own server
        with urlopen(request, timeout=_SECONDS) as response:  # noqa: S310
            return json.load(response)


def read(text: str) -> dict[str, Any]:
    """Return the answer in `text`, in which a model may have put more than an object: the object with those keys that
    have a value. If there is no such answer, it asks."""
    try:
        found = json.loads(text[text.index("{") : text.rindex("}") + 1])
        answer = {key: found[key] for key in _KEYS if found.get(key)}
    except (ValueError, AttributeError, RecursionError):
        answer = {}
    because = answer.pop("because", [])
    is_text = isinstance(because, list) and all(isinstance(one, str) for one in (*because, *answer.values()))
    if len(answer) != 1 or not is_text or answer.get("answer", "yes") not in ("yes", "no"):
        return {"asks": "The model gave no clear answer."}
    return answer | ({"because": because} if because else {})


def templates() -> Environment:
    """Return the templates of what a model reads, and of the grammar of its answers."""
    return Environment(
        loader=FileSystemLoader(resource("templates/interpreter")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - the texts are no pages
    )


def interpret(model: Model, question: Mapping[str, Any], templates: Environment) -> dict[str, Any]:
    """Return the answer of `model` to `question`, after the desk has checked the orders in it."""
    number, grammar = {"id": question["id"]}, ""
    texts = [templates.get_template(f"{name}.txt.j2").render(question) for name in ("system", "question")]
    messages = [{"role": role, "content": text} for role, text in zip(("system", "user"), texts, strict=True)]
    if model.takes_grammar:
        orders = _ask_desk({**number, "grammar": True})["grammar"]
        grammar = templates.get_template("answer.lark.j2").render(orders=orders)
    for _ in range(TRIES):
        said = model.say(messages, grammar)
        answer = read(said)
        if "orders" not in answer:
            return number | answer
        verdict = _ask_desk({**number, "try": answer["orders"]})
        if verdict["legal"]:
            return number | answer
        mistakes = "\n".join(verdict["mistakes"])
        messages += [
            {"role": "assistant", "content": said},
            {"role": "user", "content": f"These orders cannot be given:\n{mistakes}\nAnswer once more."},
        ]
    return number | {"asks": "No legal orders were found."}


def _ask_desk(line: Mapping[str, Any]) -> Any:
    print(json.dumps(line), flush=True)
    return json.loads(input())


def main(arguments: list[str]) -> None:
    """Answer the questions on standard input."""
    parser = argparse.ArgumentParser(prog="python -m pbem.interpreter")
    parser.add_argument("url")
    parser.add_argument("model")
    parser.add_argument("--key-file", type=Path)
    parser.add_argument("--grammar", choices=_GRAMMARS, default="")
    chosen = parser.parse_args(arguments)
    key = chosen.key_file.read_text("utf-8").strip() if chosen.key_file else ""
    model = Model(chosen.url, chosen.model, key, chosen.grammar)
    environment = templates()
    for line in sys.stdin:
        print(json.dumps(interpret(model, json.loads(line), environment)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
