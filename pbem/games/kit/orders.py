"""Orders as values with a text template for their canonical form."""

from dataclasses import dataclass, fields
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class OrderLine:
    """The base class of orders. The canonical form of an order is the template `form`, in which each placeholder is
    replaced with the attribute of the same name. The entries of a tuple are joined by `between`."""

    form: ClassVar[str]
    between: ClassVar[str] = " "

    def __str__(self) -> str:
        gaps = ((field.name, getattr(self, field.name)) for field in fields(self))
        texts = {name: self.between.join(map(str, value)) if type(value) is tuple else value for name, value in gaps}
        return self.form.format(**texts)
