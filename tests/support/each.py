"""Tables of cases: one test checks every row, because collecting a row as a test takes longer than checking it."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

Checked = TypeVar("Checked", bound=Callable[..., None] | type)


def each(
    names: str | tuple[str, ...], rows: Iterable[Any], *, ids: Callable[[Any], object] | Iterable[object] = ()
) -> Callable[[Checked], Checked]:
    """Run a test, or each test of a class, for every row of a table, and fail with all rows that fail.

    Use it like `pytest.mark.parametrize`; several of them multiply. Rows share the test's fixtures, so a row that needs
    a fresh fixture must stay with pytest's.
    """
    keys = names.replace(" ", "").split(",") if isinstance(names, str) else list(names)
    table = list(rows)
    titles = [str(title) for title in (map(ids, table) if callable(ids) else ids)]

    def decorate(checked: Checked) -> Checked:
        if not isinstance(checked, type):
            return _repeated(checked, keys, table, titles)
        for name, test in vars(checked).copy().items():
            if name.startswith("test"):
                setattr(checked, name, _repeated(test, keys, table, titles))
        return checked

    return decorate


def _repeated(check: Callable[..., None], keys: list[str], table: list[Any], titles: list[str]) -> Any:
    def test(*instance: Any, **fixtures: Any) -> None:
        assert table, "the table has no rows"
        failures = []
        for at, row in enumerate(table):
            values = dict(zip(keys, row if len(keys) > 1 else (row,), strict=True))
            try:
                check(*instance, **values, **fixtures)
            except Exception as error:  # noqa: BLE001  # whatever it is, the other rows are checked, too
                title = titles[at] if titles else ", ".join(map(repr, values.values()))
                failures.append(f"{title}\n    {type(error).__name__}: {error}")
        assert not failures, f"{len(failures)} of {len(table)} rows:\n" + "\n".join(failures)

    signature = inspect.signature(check)
    left = [parameter for name, parameter in signature.parameters.items() if name not in keys]
    test.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]  # what pytest hands in
    test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
    test.__qualname__ = check.__qualname__
    test.pytestmark = getattr(check, "pytestmark", [])  # type: ignore[attr-defined]
    return test
