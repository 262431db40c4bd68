"""Reads from the source of classes with a `==` of their own what their objects keep of what they are given. It is told with the class,
before any test has made an object, and a tester holds the objects to it. Standard library only."""
import ast
import builtins
import inspect
import sys
import textwrap
import types

from library_methods import is_written_by_library
from making import constants_of, keeps_only, parameters_of, told_constant

CONVERSIONS = frozenset('int float str list tuple dict set frozenset'.split())
LIBRARY = {'Decimal': 'decimal', 'Fraction': 'fractions'}
MAX_BASES = 4
#: Levels of an expression that are followed: a tester takes no more, and alternatives double what is told with each.
MAX_LEVELS = 8
LESS, MORE = (ast.Lt, ast.LtE), (ast.Gt, ast.GtE)


def tree_of(function):
    """Returns the definition of a function as its file has it; None where that does not show it."""
    if type(function) is not types.FunctionType or hasattr(function, '__wrapped__'):
        return None
    try:
        found = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except Exception:
        return None
    return found if isinstance(found, ast.FunctionDef) and not found.decorator_list else None


def names_stored(node):
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


class Constructor:
    """Follows the constructor of a class, and those of its bases that it calls.

    `parts`: attributes with expressions of what the constructor is given, None for any other; `pure`: it does nothing else.
    """

    def __init__(self, kind, tell):
        self.kind, self.tell, self.parts, self.pure = kind, tell, {}, True
        #: How deep the expression is that is followed now, within others.
        self.level = 0

    def read(self, owner, given, depth=0):
        """Follows the constructor that `owner` defines or inherits. `given`: expressions of its parameters by name, None for their own."""
        home = next(base for base in owner.__mro__ if '__init__' in vars(base))
        if home is object:
            return True
        function = vars(home)['__init__']
        node = tree_of(function)
        if node is None or depth > MAX_BASES:
            return False
        parameters = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
        self.receiver, self.definer, self.globals = parameters[0], home, function.__globals__
        others = [*parameters[1:], *(each.arg for each in node.args.kwonlyargs), *(each.arg for each in (node.args.vararg, node.args.kwarg) if each)]
        self.names = given if given is not None else {name: ['given', name] for name in others}
        if not set(self.names) <= set(others):
            return False
        for each in node.body:
            self.statement(each, depth)
        return True

    def statement(self, node, depth):
        if isinstance(node, ast.Pass) or isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self.assign(target, node.value)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                self.assign(node.target, node.value)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            self.called(node.value, depth)
        else:
            self.lose(node)

    def lose(self, node):
        """Notes a statement of another kind: what it assigns is not known."""
        self.pure = False
        for name in names_stored(node):
            self.names[name] = None
        for each in ast.walk(node):
            if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store) and self.is_self(each.value):
                self.put(each.attr, None)

    def is_self(self, node):
        return isinstance(node, ast.Name) and node.id == self.receiver

    def assign(self, target, value):
        if isinstance(target, (ast.Tuple, ast.List)):
            if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
                found = [self.expression(each) for each in value.elts]
            else:
                found = [None] * len(target.elts)
            for each, told in zip(target.elts, found):
                self.store(each, told)
        else:
            self.store(target, self.expression(value))

    def store(self, target, told):
        if isinstance(target, ast.Name):
            self.names[target.id] = told
        elif isinstance(target, ast.Attribute) and self.is_self(target.value):
            self.pure = self.pure and self.kind.__setattr__ is object.__setattr__
            self.put(target.attr, told)
        else:
            self.pure = False

    def put(self, name, told):
        if name.startswith('__') and not name.endswith('__'):
            name = '_%s%s' % (self.definer.__name__.lstrip('_'), name)
        held = inspect.getattr_static(self.kind, name, None)
        if hasattr(type(held), '__set__') and not isinstance(held, types.MemberDescriptorType):
            # A property that is set: it may keep the value under a name of its own.
            self.pure, name = False, '_' + name
        self.pure = self.pure and told is not None
        self.parts[name] = told

    def called(self, node, depth):
        """Follows a call that is a statement: the constructor of a base, or one that sets an attribute."""
        function, args = node.func, node.args
        if isinstance(function, ast.Attribute) and not node.keywords:
            owner = function.value
            is_super = isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == 'super' and not owner.args
            if function.attr == '__setattr__':
                if isinstance(owner, ast.Name) and owner.id == 'object' and args and self.is_self(args[0]):
                    is_super, args = True, args[1:]
                if is_super and len(args) == 2 and isinstance(args[0], ast.Constant) and isinstance(args[0].value, str):
                    return self.put(args[0].value, self.expression(args[1]))
            after = self.bases_after() if is_super else ()
            if function.attr == '__init__' and not is_super and args and self.is_self(args[0]):
                after, args = self.named_base(owner), args[1:]
            if function.attr == '__init__' and after and self.base(after, args, depth):
                return
        self.lose(node)

    def bases_after(self):
        """Returns the classes after the one whose constructor is followed."""
        return self.kind.__mro__[self.kind.__mro__.index(self.definer) + 1:]

    def named_base(self, node):
        """Returns the base that a constructor calls by its name, with its bases; none for anything else."""
        found = self.globals.get(node.id) if isinstance(node, ast.Name) and node.id not in self.names else None
        return found.__mro__ if isinstance(found, type) and found in self.bases_after() else ()

    def base(self, after, args, depth):
        """Follows the constructor of the first of some classes that has one. False where it is not known what that is given."""
        owner = next((base for base in after if '__init__' in vars(base)), object)
        if owner is object:
            return not args
        kinds = parameters_of(vars(owner)['__init__']) or []
        names = [name for kind, name, _ in kinds if kind in ('only', 'both')]
        if len(args) > len(names) or len(args) < len(kinds):
            return False
        outer = self.receiver, self.definer, self.globals, self.names
        given = dict(zip(names, map(self.expression, args)))
        try:
            return self.read(owner, given, depth + 1)
        finally:
            self.receiver, self.definer, self.globals, self.names = outer

    def expression(self, node):
        """Returns what an expression makes of parameters, as JSON; None for what is not followed, or is nested too deeply."""
        self.level += 1
        try:
            found = self.followed(node) if self.level <= MAX_LEVELS else None
            return found if levels_of(found) <= MAX_LEVELS else None
        finally:
            self.level -= 1

    def followed(self, node):
        if isinstance(node, ast.Name) and node.id in self.names:
            return self.names[node.id]
        try:
            return ['constant', self.tell(ast.literal_eval(node))]
        except Exception:
            pass
        if isinstance(node, ast.Name):
            told = told_constant(self.globals[node.id], self.tell) if node.id in self.globals else None
            return told and ['constant', told[0]]
        if isinstance(node, (ast.Tuple, ast.List)):
            found = [self.expression(each) for each in node.elts]
            return None if None in found else [type(node).__name__.lower(), found]
        if isinstance(node, ast.Call):
            return self.conversion(node)
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            return self.each(node)
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and len(node.values) == 2:
            one, other = map(self.expression, node.values)
            return None if one is None or other is None else ['when', 'true', one, one, other]
        return self.choice(node) if isinstance(node, ast.IfExp) else None

    def function_name(self, node):
        """Returns the name of a conversion of the language or the library; None for any other function."""
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
        if isinstance(node, ast.Name):
            found = self.globals.get(name, getattr(builtins, name, None)) if name not in self.names else None
        else:
            found = getattr(self.globals.get(getattr(getattr(node, 'value', None), 'id', None)), name or '', None)
        wanted = getattr(builtins, name, None) if name in CONVERSIONS else \
            getattr(sys.modules.get(LIBRARY.get(name)), name, None) if name in LIBRARY else None
        return name if wanted is not None and found is wanted else None

    def conversion(self, node):
        name = self.function_name(node.func)
        if name is None or node.keywords or len(node.args) > 1:
            return None
        if not node.args:
            return ['constant', self.tell(getattr(builtins, name)())] if name in CONVERSIONS else None
        found = self.expression(node.args[0])
        return found and ['as', name, found]

    def each(self, node):
        """Follows a comprehension such as `[list(row) for row in rows]`."""
        loop, = node.generators if len(node.generators) == 1 else (None,)
        if loop is None or loop.ifs or loop.is_async or not isinstance(loop.target, ast.Name):
            return None
        found, name = self.expression(loop.iter), loop.target.id
        if found is None:
            return None
        if isinstance(node.elt, ast.Name) and node.elt.id == name:
            return ['as', 'list', found]
        if isinstance(node.elt, ast.Call) and len(node.elt.args) == 1 and not node.elt.keywords and \
                isinstance(node.elt.args[0], ast.Name) and node.elt.args[0].id == name:
            made = self.function_name(node.elt.func)
            return made and ['each', made, found]
        return None

    def choice(self, node):
        """Follows `x if x is not None else []`, and the same for what is true."""
        test, how, one, other = node.test, 'true', node.body, node.orelse
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.comparators[0], ast.Constant) and \
                test.comparators[0].value is None and isinstance(test.ops[0], (ast.Is, ast.IsNot)):
            how = 'some'
            if isinstance(test.ops[0], ast.Is):
                one, other = other, one
            test = test.left
        found = [self.expression(each) for each in (test, one, other)]
        return None if None in found else ['when', how, *found]


def levels_of(told):
    """Returns how many expressions an expression nests, one in the other."""
    if told is None or told[0] in ('given', 'constant'):
        return 0
    return 1 + max(map(levels_of, told[1] if told[0] in ('tuple', 'list') else told[2:]), default=0)


def mentioned(told):
    """Returns the names of the parameters in an expression."""
    if type(told) is not list:
        return set()
    if told[:1] == ['given']:
        return {told[1]}
    return set() if told[:1] == ['constant'] else set().union(*map(mentioned, told))


def part_named(parts, name, kind):
    """Returns the attribute that keeps what is known under a name; None for none."""
    return next((each for each in (name, '_' + name, '_%s__%s' % (kind.__name__.lstrip('_'), name)) if each in parts), None)


def read_constructor(kind, tell):
    """Returns attributes with their expressions, whether making an object does nothing else, and defaults; None where the source does not
    show it."""
    if getattr(kind, '__dataclass_fields__', None) and is_written_by_library(kind, '__init__'):
        constants, complete = constants_of(kind, tell)
        fields = [each for each in kind.__dataclass_fields__.values() if each._field_type.name == '_FIELD']
        told = dict(constants)
        parts = {str(each.name): ['given', str(each.name)] if each.init else ['constant', told[each.name]]
                 for each in fields if each.init or each.name in told}
        return parts, complete and keeps_only(kind, list(kind.__dataclass_fields__)), constants
    reader = Constructor(kind, tell)
    if not reader.read(kind, None):
        return None
    plain = kind.__new__ is object.__new__ and type(kind).__call__ is type.__call__ and kind.__getattribute__ is object.__getattribute__
    defaults = []
    for each in list(inspect.signature(kind.__init__).parameters.values())[1:]:
        told = None if each.default is each.empty else told_constant(each.default, tell)
        if told:
            defaults.append([str(each.name), told[0]])
    return reader.parts, reader.pure and plain, defaults


def keeping_of(kind, tell):
    """Returns what a class keeps of what its objects are given, and by which parts it orders them; None where its source does not show it."""
    try:
        is_new = kind.__init__ is object.__init__ and kind.__new__ is not object.__new__
        parameters = parameters_of(kind.__new__ if is_new else kind.__init__)
        if not parameters:
            return None
        # Where the source does not show it, the names of the parameters say where each is kept.
        parts, pure, defaults = (not is_new and read_constructor(kind, tell)) or ({}, False, [])
        covered = set().union(*(mentioned(told) for told in parts.values()))
        for _, name, _ in parameters:
            part = part_named(parts, name, kind)
            if name not in covered and part is not None and parts[part] is None:
                parts[part] = ['like', name]
        keeps = [[name, told] for name, told in parts.items() if told is not None]
        return {'parameters': parameters, 'defaults': defaults, 'keeps': keeps, 'pure': pure, 'orders': orders_of(kind, parts),
                'settable': kind.__setattr__ is object.__setattr__}
    except Exception:
        return None  # The source of an artifact's class may be anything: such a class is told without a claim.


def orders_of(kind, parts):
    """Returns the parts by which the operators of order compare two objects, and whether the larger ones come first; None for unknown ones."""
    if is_written_by_library(kind, '__lt__'):
        return [[str(each.name) for each in kind.__dataclass_fields__.values() if each.compare], False]
    for operator, same, opposite in (('__lt__', LESS, MORE), ('__gt__', MORE, LESS)):
        node = tree_of(inspect.getattr_static(kind, operator, None))
        if node is None or len(node.args.args) != 2:
            continue
        one, other = (each.arg for each in node.args.args)
        for each in ast.walk(node):
            if not isinstance(each, ast.Compare) or len(each.ops) != 1 or not isinstance(each.ops[0], (*same, *opposite)):
                continue
            names = attributes(kind, each.left, one)
            if names and names == attributes(kind, each.comparators[0], other):
                found = [part_named(parts, name, kind) for name in names]
                return None if None in found else [found, isinstance(each.ops[0], opposite)]
    return None


def attributes(kind, node, name, depth=0):
    """Returns the attributes of a variable that an expression consists of, through methods that only return such: `self._key()`."""
    if isinstance(node, ast.Tuple):
        found = [attributes(kind, each, name, depth) for each in node.elts]
        return None if None in found else [each for part in found for each in part]
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name:
        return [node.attr]
    if isinstance(node, ast.Call) and not node.args and not node.keywords and depth < MAX_BASES:
        own = attributes(kind, node.func, name)
        method = tree_of(inspect.getattr_static(kind, own[0], None)) if own else None
        if method is not None and len(method.body) == 1 and isinstance(method.body[0], ast.Return):
            return attributes(kind, method.body[0].value, method.args.args[0].arg, depth + 1)
    return None
