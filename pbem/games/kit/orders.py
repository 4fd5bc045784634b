"""Orders as values whose canonical form is a text with gaps."""

from dataclasses import dataclass, fields
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Line:
    """An order. Its canonical form is `form` with what its attributes say in the gaps of their names; a list has blanks
    between.
    """

    form: ClassVar[str]

    def __str__(self) -> str:
        said = {one.name: getattr(self, one.name) for one in fields(self)}
        return self.form.format(
            **{name: " ".join(one) if isinstance(one, tuple) else one for name, one in said.items()}
        )
