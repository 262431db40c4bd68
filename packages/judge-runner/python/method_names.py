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
