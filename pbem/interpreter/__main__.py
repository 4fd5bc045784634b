"""An interpreter that asks a language model on a server with the OpenAI interface, such as llama.cpp, vLLM or Ollama:

    python -m pbem.interpreter [--key-file FILE] URL MODEL

URL is the address of the interface, such as http://127.0.0.1:8080/v1. The program reads questions from its standard
input, as docs/interpreter.md describes. It has the desk check all orders that the model suggests, and tells the model
about mistakes.
"""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pbem.interpreter.program import TRIES, Answer
from pbem.resources import resource
from pbem.typed import keys_of

_KEYS = [key for key in keys_of(Answer) if key not in ("id", "try")]
_TEXT, _LIST = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
_SCHEMA = {
    "type": "object",
    "properties": {key: _LIST if key == "because" else _TEXT for key in _KEYS},
    "additionalProperties": False,
}
_MOST_TOKENS = 800
_SECONDS = 300.0  # the desk ends the program earlier


class Model:
    """A language model on a server."""

    def __init__(self, url: str, name: str, key: str = "") -> None:
        self._url, self._name, self._key = f"{url.rstrip('/')}/chat/completions", name, key
        self._formats: list[Mapping[str, Any]] = [
            {"type": "json_schema", "json_schema": {"name": "reading", "schema": _SCHEMA}},
            {"type": "json_object"},
        ]

    def say(self, messages: list[dict[str, str]]) -> str:
        """Return the model's answer to `messages`. If the server refuses a format for the answer, less is asked of it
        from then on."""
        body = {"model": self._name, "messages": messages, "temperature": 0, "max_tokens": _MOST_TOKENS}
        while True:
            form = {"response_format": self._formats[0]} if self._formats else {}
            try:
                answer = self._post({**body, **form})
                return str(answer["choices"][0]["message"]["content"])
            except HTTPError as error:
                if error.code not in (400, 422) or not self._formats:
                    raise
                self._formats.pop(0)

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


def interpret(model: Model, question: Mapping[str, Any], templates: Environment) -> dict[str, Any]:
    """Return the answer of `model` to `question`, after the desk has checked the orders in it."""
    number = {"id": question["id"]}
    texts = [templates.get_template(f"{name}.txt.j2").render(question) for name in ("system", "question")]
    messages = [{"role": role, "content": text} for role, text in zip(("system", "user"), texts, strict=True)]
    for _ in range(TRIES):
        said = model.say(messages)
        answer = read(said)
        if "orders" not in answer:
            return number | answer
        print(json.dumps(number | {"try": answer["orders"]}), flush=True)
        verdict = json.loads(input())
        if verdict["legal"]:
            return number | answer
        mistakes = "\n".join(verdict["mistakes"])
        messages += [
            {"role": "assistant", "content": said},
            {"role": "user", "content": f"These orders cannot be given:\n{mistakes}\nAnswer once more."},
        ]
    return number | {"asks": "No legal orders were found."}


def main(arguments: list[str]) -> None:
    """Answer the questions on standard input."""
    parser = argparse.ArgumentParser(prog="python -m pbem.interpreter")
    parser.add_argument("url")
    parser.add_argument("model")
    parser.add_argument("--key-file", type=Path)
    chosen = parser.parse_args(arguments)
    key = chosen.key_file.read_text("utf-8").strip() if chosen.key_file else ""
    model = Model(chosen.url, chosen.model, key)
    templates = Environment(
        loader=FileSystemLoader(resource("templates/interpreter")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # noqa: S701 - the texts are no pages
    )
    for line in sys.stdin:
        print(json.dumps(interpret(model, json.loads(line), templates)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
