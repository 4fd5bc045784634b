"""Orders as values whose canonical form is a text with gaps."""

from dataclasses import dataclass, fields
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Line:
    """An order. Its canonical form is `form` with what its attributes say in the gaps of their names; a list has
    `between` between.
    """

    form: ClassVar[str]
    between: ClassVar[str] = " "

    def __str__(self) -> str:
        said = {one.name: getattr(self, one.name) for one in fields(self)}
        return self.form.format(
            **{name: self.between.join(map(str, one)) if type(one) is tuple else one for name, one in said.items()}
        )
