"""Names of methods, by what they mean for the belief in an answer. Standard library only."""
import re

BY_REFERENCE = {name: 'arithmetic' for name in (
    'add sub mul truediv floordiv mod pow matmul divmod lshift rshift and or xor neg pos abs invert radd rsub rmul rtruediv '
    'rfloordiv rmod rpow rmatmul rand ror rxor iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor').split()}
BY_REFERENCE.update({name: 'conversion' for name in 'int float complex index round trunc floor ceil bytes format fspath'.split()})
BY_REFERENCE.update({name: 'comparison' for name in 'lt le gt ge'.split()})
ACTING = ('len contains getitem setitem delitem iter next reversed enter exit aenter aexit aiter anext await call').split()
#: What the language does with an object in the body of a class.
DESCRIBING = ('get', 'set', 'delete', 'set_name')
#: What plain collections do as well.
COLLECTING = ('len', 'getitem', 'reversed')
#: Functions whose name says that they make objects.
MAKES_OBJECTS = re.compile('_*(?:create|make|build|init|open|new|setup|configure|use|define)(?:_|$)|[a-z_]*_(?:factory|builder)$')
PREDICATES = set('''startswith endswith issubset issuperset isdisjoint count index rindex find rfind isalnum isalpha isascii isdecimal
isdigit isidentifier islower isnumeric isprintable isspace istitle isupper is_integer'''.split())
PLAIN_NAMES = frozenset(name for kind in (str, int, float, list, tuple, dict, set, bytes, complex) for name in dir(kind)
                        if not name.startswith('_'))
MEANING = {'arithmetic': 'a number', 'conversion': 'a number or text', 'comparison': 'a value that can be ordered'}
#: Methods of values of the library that are no attributes of builtin types.
OF_LIBRARY = frozenset('''most_common elements subtract total appendleft popleft extendleft rotate move_to_end isoformat strftime
weekday isoweekday date time timestamp astimezone utcoffset tzname dst timetuple isocalendar replace total_seconds quantize
as_tuple normalize to_integral_value limit_denominator as_integer_ratio exists is_file is_dir joinpath with_suffix with_name
relative_to read_text write_text read_bytes write_bytes iterdir glob rglob mkdir unlink resolve as_posix match fullmatch search
findall finditer sub getvalue read readline readlines write seek tell close send throw asend athrow aclose cache_info cache_clear is_absolute
open stat touch rename is_relative_to toordinal utctimetuple is_nan is_finite sqrt ln exp tolist tobytes buffer_info'''.split())
#: What a function may have that a decorator has made, beside what its suite calls it.
OF_FUNCTIONS = frozenset(('cache_info', 'cache_clear', 'clear', 'close', 'start', 'stop'))
#: Names that a value in the place of a function has as well.
OF_VALUES = (PLAIN_NAMES | OF_LIBRARY) - OF_FUNCTIONS
