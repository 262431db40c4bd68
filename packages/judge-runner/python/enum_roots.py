"""What enumerations are made of. Standard library only."""
import enum

#: The bases of an enumeration without members, by name.
ROOTS = {'IntFlag': (enum.IntFlag,), 'IntEnum': (enum.IntEnum,), 'Flag': (enum.Flag,), 'Enum': (enum.Enum,),
         'str': (str, enum.Enum), 'int': (int, enum.Enum),
         'StrEnum': (enum.StrEnum,) if hasattr(enum, 'StrEnum') else (str, enum.Enum)}


def root_name(kind):
    """The name of the bases with which the same enumeration can be made again."""
    root = next(name for name in ('IntFlag', 'IntEnum', 'StrEnum', 'Flag', 'Enum') if issubclass(kind, getattr(enum, name, ())))
    plain = next((each for each in (str, int) if issubclass(kind, each)), None)
    return plain.__name__ if root == 'Enum' and plain is not None else root
