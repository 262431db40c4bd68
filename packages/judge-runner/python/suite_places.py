"""Finds the places of a suite at which tests lean on operators of the artifact's own classes: without a reference nothing vouches
for these, so that a correct program may fail there. Reads the files of the suite alone. Standard library only.

Each test is followed line by line, with its fixtures, parameters and the functions of the suite that it calls. What is followed
is where a value comes from: `Stack()` for an object that a test makes, `parse()` for what a function answers, `Stack().top` for
an attribute. A first reading of all files collects which of these are objects of which class, as the suite shows by comparing
them, asking for their type or reading their attributes; a second one notes the places.
"""
import ast
import builtins

from suite_calls import FUNCTIONS, MAX_DEPTH, Calls
from suite_syntax import VALUE_METHODS, dotted
from suite_uses import MAX_PLACES, Uses
from suite_values import (
    EMPTY, FALSE, NONE, PLAIN, TRUE, Derived, Function, Group, Knowledge, Own, Scope, Thing, asked_by, carrying, derived, joined, part_of, truth_told)

READINGS, MAX_WORK = 4, 1_000_000
OPERATORS = {ast.Lt: 'lt', ast.LtE: 'le', ast.Gt: 'gt', ast.GtE: 'ge'}
#: Methods that call what they are given, or have it called.
REGISTERING = {'addCleanup', 'addfinalizer', 'callback', 'raises', 'assertRaises', 'assertRaisesRegex'}
SET_UP = ('__init__', 'setUpClass', 'setup_class', 'setUp', 'asyncSetUp', 'setup_method', 'setup')
#: Names by which a suite treats a class as one whose equality is that of its fields.
BY_FIELDS = {'asdict', 'astuple', 'fields', 'replace', '_replace', '_asdict', '_fields', 'is_dataclass'}


def may_fail(body):
    """True for statements that fail a test by themselves, without an assertion."""
    return any(isinstance(each, ast.Raise) or isinstance(each, ast.Call) and (dotted(each.func) or '').rpartition('.')[2] == 'fail'
               for statement in body for each in ast.walk(statement))


class Reader(Uses, Calls):
    """Follows the tests of one file."""

    def __init__(self, file, tree, known, fixtures, classes):
        self.file, self.tree, self.known, self.fixtures, self.own = file, tree, known, fixtures, classes
        self.places, self.test, self.calls, self.depth, self.raising = [], None, 0, 0, 0
        self.module = Scope()
        self.done, self.returned = set(), []
        #: Calls that the running test is believed to make of objects.
        self.followed = []

    def ev(self, node, scope):
        self.known.work += 1
        if node is None or self.known.work > MAX_WORK:
            return None
        method = getattr(self, 'ev_' + type(node).__name__, None)
        if method is not None:
            return method(node, scope)
        for each in ast.iter_child_nodes(node):
            if isinstance(each, ast.expr):
                self.ev(each, scope)
        return None

    def ev_Constant(self, node, scope):
        if isinstance(node.value, bool):
            return TRUE if node.value else FALSE
        return NONE if node.value is None else PLAIN

    def ev_Name(self, node, scope):
        found = scope.get(node.id)
        if found is not None:
            return found
        member = self.file.members.get(node.id)
        if member is not None:
            return Thing(member[1])
        if self.file.star and node.id not in self.file.aliases and not hasattr(builtins, node.id):
            return Thing(node.id)
        alias = self.file.aliases.get(node.id)
        if alias is not None:
            return Thing('') if self.file.is_foreign(alias) else Function(name=alias)
        return Function(name=node.id) if hasattr(builtins, node.id) else None

    def ev_Attribute(self, node, scope):
        owner = self.ev(node.value, scope)
        if isinstance(owner, Thing):
            if owner.origin == '':
                return Thing(node.attr)
            if isinstance(owner.held.get(node.attr), Thing):
                return owner.held[node.attr]
            is_value = '(' in owner.origin
            if is_value and node.attr not in VALUE_METHODS and not node.attr.startswith('__'):
                if node.attr in BY_FIELDS:
                    self.known.by_fields.add(self.known.kinds.get(self.known.name(owner.origin)))
                self.known.show(owner)
            return carrying(Thing(self.known.name(owner.origin) + '.' + node.attr, of_made=owner.made), owner)
        if isinstance(owner, Derived):
            return owner
        if isinstance(owner, Own):
            if node.attr in owner.held:
                return owner.held[node.attr]
            found = self.method(owner.node, node.attr)
            return Function(found, self.module, owner=owner) if found is not None else Function(name='.' + node.attr)
        if isinstance(owner, Function) and owner.name:
            return Function(name=owner.name + '.' + node.attr)
        if isinstance(owner, Group):
            return Function(name='.' + node.attr, owner=owner)
        return Function(name='.' + node.attr, owner=None)

    def ev_Subscript(self, node, scope):
        owner, key = self.ev(node.value, scope), self.ev(node.slice, scope)
        if isinstance(owner, Group):
            if owner.key is not None:
                self.hash(node, key)
            if isinstance(node.slice, ast.Slice):
                return owner
            return owner.part
        if isinstance(owner, Thing):
            if isinstance(node.slice, ast.Slice):
                return Group(self.items(owner))
            is_named = isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)
            return carrying(Thing(self.known.name(owner.origin) + ('[%r]' % node.slice.value if is_named else '[]')), owner)
        if isinstance(owner, Derived):
            return owner
        if part_of(key) is not None and isinstance(owner, Function) is False:
            self.hash(node, key)
        return None

    def ev_group(self, node, scope):
        return Group(joined([self.ev(each, scope) for each in node.elts]) or (PLAIN if node.elts else EMPTY), kind=type(node).__name__.lower())

    ev_List = ev_Tuple = ev_group

    def ev_Set(self, node, scope):
        found = self.ev_group(node, scope)
        self.hash(node, found)
        return Group(found.part, found.part, 'set')

    def ev_Dict(self, node, scope):
        keys = joined([self.ev(each, scope) for each in node.keys])
        self.hash(node, keys)
        return Group(joined([self.ev(each, scope) for each in node.values]) or (PLAIN if node.values else EMPTY), keys or PLAIN, 'dict')

    def ev_Starred(self, node, scope):
        return self.items(self.ev(node.value, scope))

    def ev_JoinedStr(self, node, scope):
        values = []
        for each in node.values:
            if isinstance(each, ast.FormattedValue):
                values.append(self.ev(each.value, scope))
                if each.format_spec is not None:
                    self.convert(node, values[-1:], strict=True)
        return derived(*values, is_narrow=False)

    def ev_Lambda(self, node, scope):
        return Function(node, scope)

    def ev_IfExp(self, node, scope):
        self.truth(node, self.ev(node.test, scope))
        return joined([self.ev(node.body, scope), self.ev(node.orelse, scope)])

    def ev_BoolOp(self, node, scope):
        found = [self.ev(each, scope) for each in node.values]
        for each in found:
            self.truth(node, each)
        return joined(found)

    def ev_NamedExpr(self, node, scope):
        value = self.ev(node.value, scope)
        self.bind(node.target, value, scope)
        return value

    def ev_Await(self, node, scope):
        return self.ev(node.value, scope)

    def ev_Yield(self, node, scope):
        value = self.ev(node.value, scope)
        self.returned.append(value)
        return None

    def ev_YieldFrom(self, node, scope):
        self.returned.append(self.items(self.ev(node.value, scope)))
        return None

    def ev_UnaryOp(self, node, scope):
        if isinstance(node.op, ast.Not):
            inner = node.operand
            if isinstance(inner, ast.Compare) and len(inner.ops) == 1 and isinstance(inner.ops[0], (ast.Eq, ast.NotEq)):
                is_equal = isinstance(inner.ops[0], ast.NotEq)
                return self.compare(node, self.ev(inner.left, scope), self.ev(inner.comparators[0], scope), is_equal)
            value = self.ev(inner, scope)
            self.truth(node, value)
            return derived(value)
        value = self.ev(node.operand, scope)
        if not isinstance(value, Thing):
            return PLAIN
        if isinstance(node.op, ast.Invert):
            self.known.show(value)
        return self.calculate(node, value)

    def ev_BinOp(self, node, scope):
        left, right = self.ev(node.left, scope), self.ev(node.right, scope)
        if isinstance(node.op, ast.Mod) and isinstance(node.left, (ast.Constant, ast.JoinedStr)):
            return PLAIN
        if isinstance(node.op, (ast.BitAnd, ast.BitOr, ast.BitXor)) and isinstance(left, Thing) and isinstance(right, Thing):
            for one, two in ((left, right), (right, left)):
                if self.known.is_object(one):
                    self.known.show(two)
        return self.calculate(node, left, right)

    def ev_Compare(self, node, scope):
        left = self.ev(node.left, scope)
        told = []
        for op, each in zip(node.ops, node.comparators):
            right = self.ev(each, scope)
            if isinstance(op, (ast.Eq, ast.NotEq)):
                told.append(self.compare(node, left, right, isinstance(op, ast.Eq)))
            elif isinstance(op, (ast.Is, ast.IsNot)):
                told.append(truth_told(left, right))
            elif type(op) in OPERATORS:
                self.order(node, left, right)
            elif isinstance(op, (ast.In, ast.NotIn)):
                self.contains(node, left, right)
                told.append(truth_told(left, right) if isinstance(right, Group) else PLAIN)
            left = right
        return derived(*told)

    def comprehension(self, node, scope, parts):
        inner, asked = Scope(scope), frozenset()
        for each in node.generators:
            self.bind(each.target, self.items(self.ev(each.iter, inner)), inner)
            for test in each.ifs:
                value = self.ev(test, inner)
                self.truth(test, value)
                asked |= asked_by(value)
        return [*(self.ev(part, inner) for part in parts), asked]

    def ev_ListComp(self, node, scope):
        part, asked = self.comprehension(node, scope, [node.elt])
        return Group(part or PLAIN, asked=asked)

    ev_GeneratorExp = ev_ListComp

    def ev_SetComp(self, node, scope):
        part, asked = self.comprehension(node, scope, [node.elt])
        self.hash(node, Group(part))
        return Group(part, part, 'set', asked)

    def ev_DictComp(self, node, scope):
        key, value, asked = self.comprehension(node, scope, [node.key, node.value])
        self.hash(node, key)
        return Group(value, key or PLAIN, asked=asked)

    def ev_Call(self, node, scope):
        function = self.ev(node.func, scope)
        args = [self.ev(each, scope) for each in node.args]
        kwargs = {each.arg: self.ev(each.value, scope) for each in node.keywords}
        asked = frozenset()
        if isinstance(function, Thing) and isinstance(node.func, ast.Attribute):
            self.see_method(node, *function.origin.rpartition('.')[::2], function.of_made)
            asked = self.see_called(node.func, *function.origin.rpartition('.')[::2], bool(node.args or node.keywords)) or asked
        elif isinstance(node.func, ast.Attribute) and (function is None or isinstance(function, Function) and function.is_of_unknown()):
            self.see_other_call(node.func, node.func.attr)
        if isinstance(node.func, ast.Attribute) and node.func.attr in REGISTERING:
            for each, value in zip(node.args, args):
                if isinstance(each, ast.Attribute) and isinstance(value, Thing):
                    self.see_called(each, *value.origin.rpartition('.')[::2], False)
        found = self.call(node, function, args, kwargs, scope)
        if isinstance(found, Thing) and found.made and isinstance(function, Thing):
            found.given = {name: ast.dump(each) for name, each in [*enumerate(node.args), *((each.arg, each.value) for each in node.keywords)]
                           if is_literal(each)}
        if isinstance(found, Thing):
            found.asked |= asked | asked_by(function)
        return found

    def body(self, body, scope):
        for each in body:
            self.statement(each, scope)

    def bind(self, target, value, scope):
        if isinstance(target, ast.Name):
            scope.names[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            for each in target.elts:
                inner = each.value if isinstance(each, ast.Starred) else each
                part = self.items(value)
                self.bind(inner, Group(part) if isinstance(each, ast.Starred) else part, scope)
        elif isinstance(target, ast.Attribute):
            owner = self.ev(target.value, scope)
            if isinstance(owner, Own):
                owner.held[target.attr] = value
            elif isinstance(owner, Thing) and '(' in owner.origin:
                self.known.show(owner)
        elif isinstance(target, ast.Subscript):
            owner, key = self.ev(target.value, scope), self.ev(target.slice, scope)
            if isinstance(owner, Group):
                owner.part = joined([owner.part if part_of(owner.part) else None, value, owner.part])
                if part_of(key):
                    owner.key = key
                    self.hash(target, key)

    def unpack(self, target, node, scope):
        """Binds `a, b = x, y` one by one."""
        if isinstance(target, (ast.Tuple, ast.List)) and isinstance(node, (ast.Tuple, ast.List)) and len(target.elts) == len(node.elts):
            values = [self.ev(each, scope) for each in node.elts]
            for each, value in zip(target.elts, values):
                self.bind(each, value, scope)
            return
        self.bind(target, self.ev(node, scope), scope)

    def statement(self, node, scope):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self.unpack(target, node.value, scope)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                self.bind(node.target, self.ev(node.value, scope), scope)
        elif isinstance(node, ast.AugAssign):
            value = self.calculate(node, self.ev(node.target, scope), self.ev(node.value, scope))
            self.bind(node.target, value, scope)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            # What a decorator of the artifact's makes of a function is the artifact's.
            found = Function(node, scope)
            for each in getattr(node, 'bases', ()):
                base = self.ev(each, scope)
                if isinstance(base, Thing) and '(' not in base.origin:
                    # Its objects are the artifact's.
                    found = Thing(base.origin)
                    found.held = {**base.held, **{part.targets[0].id: self.ev(part.value, scope) for part in node.body
                                                  if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name)}}
            for each in reversed(getattr(node, 'decorator_list', ())):
                maker = self.ev(each, scope)
                if isinstance(maker, Thing):
                    # A class of the suite may become one whose objects the artifact compares.
                    found = Thing(node.name if isinstance(node, ast.ClassDef) else '?')
            scope.names[node.name] = found
        elif isinstance(node, ast.Return):
            self.returned.append(self.ev(node.value, scope))
        elif isinstance(node, ast.Assert):
            value = self.ev(node.test, scope)
            self.truth(node, value)
            self.assert_truth(value)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            if isinstance(node.iter, (ast.Tuple, ast.List)) and isinstance(node.target, (ast.Tuple, ast.List)):
                self.bind_rows(node.target.elts, node.iter.elts, scope)
            else:
                self.bind(node.target, self.each_of(node.iter, scope), scope)
            self.body(node.body, scope)
            self.body(node.orelse, scope)
        elif isinstance(node, (ast.If, ast.While)):
            value = self.ev(node.test, scope)
            self.truth(node.test, value)
            if may_fail([*node.body, *node.orelse]):
                self.assert_truth(value)
            self.body(node.body, scope)
            self.body(node.orelse, scope)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for each in node.items:
                value = self.ev(each.context_expr, scope)
                if each.optional_vars is not None:
                    self.bind(each.optional_vars, Thing(value.origin + '.__enter__()') if isinstance(value, Thing) else value, scope)
            self.body(node.body, scope)
        elif isinstance(node, ast.Try) or type(node).__name__ == 'TryStar':
            self.body(node.body, scope)
            for each in node.handlers:
                self.body(each.body, scope)
            self.body(node.orelse, scope)
            self.body(node.finalbody, scope)
        elif isinstance(node, ast.Expr):
            value = self.ev(node.value, scope)
            if isinstance(value, Derived):
                # An assertion of somebody else's, or a collector.
                self.assert_truth(value)
        elif type(node).__name__ == 'Match':
            subject = self.ev(node.subject, scope)
            for each in node.cases:
                for part in ast.walk(each.pattern):
                    if type(part).__name__ == 'MatchValue':
                        self.assert_truth(self.compare(part, subject, self.ev(part.value, scope)))
                    elif type(part).__name__ == 'MatchSingleton':
                        self.assert_truth(subject)
                self.body(each.body, scope)
        elif isinstance(node, ast.Delete):
            for each in node.targets:
                self.ev(each, scope)

    def each_of(self, node, scope):
        """What iterating an expression yields: the values of a mapping's items, and so on."""
        return self.items(self.ev(node, scope))

    def bind_rows(self, targets, rows, scope):
        """Binds the columns of a table: each to what has something of the artifact's in it."""
        columns = [[] for _ in targets]
        for row in rows:
            cells = row.args if isinstance(row, ast.Call) and (dotted(row.func) or '').endswith('param') else \
                row.elts if isinstance(row, (ast.Tuple, ast.List)) else None
            for index, column in enumerate(columns):
                if cells is not None and index < len(cells):
                    column.append(self.ev(cells[index], scope))
                elif cells is None:
                    column.append(self.items(self.ev(row, scope)))
        for target, column in zip(targets, columns):
            functions = [each for each in column if isinstance(each, Function)]
            self.bind(target, functions[0] if functions and len(functions) == len(column) else joined(column), scope)

    def read(self):
        for each in self.tree.body:
            self.attempt(self.statement, each, self.module)
        for each in self.tree.body:
            if isinstance(each, ast.ClassDef):
                self.read_class(each, each.name)
            elif isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)) and each.name.startswith('test'):
                self.attempt(self.read_test, each, each.name, None)

    def attempt(self, read, *args):
        """What cannot be followed is not named, nor believed: it never keeps a suite from judging."""
        try:
            read(*args)
        except Exception:
            for call in self.followed:
                self.known.doubted |= call.lines()

    def read_class(self, node, path):
        seen, known, own = set(), [], [node]
        while own:
            owner = own.pop(0)
            # A class may have the name of its base in another module.
            if owner in known:
                continue
            known.append(owner)
            for each in owner.body:
                if isinstance(each, ast.ClassDef) and owner is node:
                    self.read_class(each, path + '::' + each.name)
                if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)) and each.name.startswith('test') and each.name not in seen:
                    seen.add(each.name)
                    self.attempt(self.read_test, each, path + '::' + each.name, node)
            own += [self.own[name] for base in owner.bases for name in [(dotted(base) or '').rpartition('.')[2]] if name in self.own]

    def read_test(self, node, path, owner):
        self.test, self.calls, self.returned, self.followed = '%s::%s' % (self.file.name, path), 0, [], []
        scope = Scope(self.module)
        held = None
        if owner is not None:
            held = Own(owner, {})
            self.fill(owner, held.held)
            for name in SET_UP:
                found = self.method(owner, name)
                if found is not None:
                    self.enter(found, self.module, [held], {})
            self.own_fixtures = {each.name: each for each in owner.body if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))
                                 and fixture_name(each)}
            for each in self.own_fixtures.values():
                if 'autouse' in ast.dump(each):
                    self.enter(each, self.module, [held], {})
        else:
            self.own_fixtures = {}
        names = [each.arg for each in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]]
        for index, name in enumerate(names):
            scope.names[name] = held if index == 0 and held is not None else self.fixture(name, held)
        decorators = [*node.decorator_list, *(owner.decorator_list if owner is not None else [])]
        for each in decorators:
            if isinstance(each, ast.Call) and (dotted(each.func) or '').endswith('parametrize') and len(each.args) > 1:
                self.parametrize(each, scope)
            elif isinstance(each, ast.Call):
                self.ev(each, scope)
        self.body(node.body, scope)
        self.test = None

    def parametrize(self, node, scope):
        names = node.args[0]
        if isinstance(names, ast.Constant) and isinstance(names.value, str):
            names = [each.strip() for each in names.value.split(',') if each.strip()]
        elif isinstance(names, (ast.Tuple, ast.List)):
            names = [each.value for each in names.elts if isinstance(each, ast.Constant)]
        else:
            return
        targets = [ast.Name(id=name, ctx=ast.Store()) for name in names]
        values = node.args[1]
        if isinstance(values, ast.Name):
            found = next((each.value for each in self.tree.body if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name)
                          and each.targets[0].id == values.id), None)
            values = found if found is not None else values
        if len(names) > 1 and isinstance(values, (ast.Tuple, ast.List)):
            self.bind_rows(targets, values.elts, scope)
            return
        part = self.items(self.ev(values, scope))
        if any(isinstance(each, ast.Call) and (dotted(each.func) or '').endswith('param') for each in getattr(values, 'elts', ())):
            part = self.items(part) if isinstance(part, Group) else part
        for each in targets:
            self.bind(each, part if len(names) == 1 else self.items(part), scope)

    def fixture(self, name, held=None, depth=0):
        node, scope = self.own_fixtures.get(name), self.module
        if node is None:
            found = self.fixtures.get(name)
            if found is None:
                return None
            node, scope = found
        if depth > MAX_DEPTH:
            return None
        args = {}
        params = None
        for each in node.decorator_list:
            if isinstance(each, ast.Call):
                params = next((self.items(self.ev(word.value, scope)) for word in each.keywords if word.arg == 'params'), params)
        for index, each in enumerate(node.args.args):
            if index == 0 and name in self.own_fixtures:
                args[each.arg] = held
            elif each.arg == 'request':
                args[each.arg] = Own(ast.ClassDef(name='', bases=[], body=[], keywords=[], decorator_list=[]), {'param': params})
            else:
                args[each.arg] = self.fixture(each.arg, held, depth + 1)
        return self.enter(node, scope, [], args)


def is_literal(node):
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def fixture_name(node):
    """The name of the fixture that a function is, or None."""
    for each in node.decorator_list:
        owner = each.func if isinstance(each, ast.Call) else each
        if (dotted(owner) or '').rpartition('.')[2] == 'fixture':
            words = each.keywords if isinstance(each, ast.Call) else []
            given = next((word.value.value for word in words if word.arg == 'name' and isinstance(word.value, ast.Constant)), None)
            return given or node.name
    return None


def read_places(files):
    """The places of a suite that may need a reference, given its files as `(File, tree)`, as dicts of file, line, test and construct;
    and what it shows by its calls."""
    known = Knowledge()
    classes = {node.name: node for _, tree in files for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    places = []
    for file, tree in files:
        for node in ast.walk(tree):
            if isinstance(node, FUNCTIONS):
                node.file = file
    for _ in range(READINGS):
        known.changed, places, fixtures = False, [], {}
        known.called, known.doubted = set(), set()
        readers = [Reader(file, tree, known, fixtures, classes) for file, tree in files]
        for reader in readers:
            for node in ast.walk(reader.tree):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and fixture_name(node):
                    fixtures.setdefault(fixture_name(node), (node, reader.module))
        for reader in readers:
            reader.own_fixtures = {}
            reader.read()
            places += reader.places
        if not known.changed:
            break
    known.called = set() if known.work > MAX_WORK else known.called - known.doubted
    return places[:MAX_PLACES], known
