"""Follows calls of a test: of the artifact, of functions of the suite and of the library. Standard library only."""
import ast

from suite_syntax import dotted, is_class_name
from suite_values import EMPTY, PLAIN, Derived, Function, Group, Own, Scope, Thing, carrying, derived, joined, part_of, says_little, truth_told

MAX_DEPTH, MAX_CALLS = 4, 300
FUNCTIONS = ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda
ARITHMETIC = set('add sub mul truediv floordiv mod pow matmul lshift rshift and_ or_ xor concat iadd isub imul ior iand ixor'.split())
SIGNS = {'neg', 'pos', 'invert', 'inv', 'abs'}
CONVERSIONS = {'int', 'float', 'complex', 'round', 'divmod', 'pow', 'format', 'bytes', 'index', 'math.floor', 'math.ceil', 'math.trunc',
               'math.sqrt', 'math.isclose', 'Decimal', 'Fraction', 'os.fspath', 'bin', 'hex', 'chr', 'range'}
#: Methods of unittest that compare, order or look for what they are given.
COMPARING = {'assertEqual', 'assertNotEqual', 'assertListEqual', 'assertTupleEqual', 'assertSequenceEqual', 'assertDictEqual',
             'assertSetEqual', 'assertCountEqual', 'assertIn', 'assertNotIn', 'assertAlmostEqual', 'assertNotAlmostEqual', 'eq'}
ORDERING = {'assertLess', 'assertLessEqual', 'assertGreater', 'assertGreaterEqual'}
RAISING = {'raises', 'assertRaises', 'assertRaisesRegex', 'warns', 'assertWarns'}
SORTERS = {'sorted', 'min', 'max', 'heapq.heapify', 'heapq.heappush', 'heapq.nsmallest', 'heapq.nlargest', 'heapq.merge', 'bisect.insort',
           'bisect.bisect', 'bisect.bisect_left', 'bisect.bisect_right'}
#: What returns the items that it is given, or some of them.
KEEPING = {'list', 'tuple', 'iter', 'reversed', 'filter', 'sorted', 'deque', 'chain', 'islice', 'from_iterable',
           'nsmallest', 'nlargest', 'cycle', 'takewhile', 'dropwhile', 'aslist'}
#: Containers that ask their items for a hash.
HASHING = {'set', 'frozenset', 'Counter', 'dict', 'fromkeys'}
#: Types from which a class of the artifact can be derived without its stand-in being derived from them.
BASES = {'str', 'bytes', 'bytearray', 'int', 'float', 'complex', 'list', 'tuple', 'dict', 'set', 'frozenset'}
ORDERS = {'lt', 'le', 'gt', 'ge'}


def passed_on(args, kwargs):
    """What a function answers that is not followed: None, unless it was given an answer of a believed call."""
    given = [*args, *kwargs.values()]
    # A row of what is said and what is expected.
    found = derived(*given, is_narrow=any(map(says_little, given)))
    return None if found is PLAIN else found


class Calls:
    """What calls answer, as far as they are followed."""

    def call(self, node, function, args, kwargs, scope):
        if isinstance(function, Thing):
            owner, _, name = function.origin.rpartition('.')
            self.see_invoked(function)
            if isinstance(getattr(node, 'func', None), ast.Name) and function.origin.endswith('()'):
                self.known.callables.add(function.origin)
            if name == '__new__' and self.is_class(owner):
                self.note(node, Thing(owner + '()'), 'makes %s by __new__()')
            if name in ('index', 'count', 'remove') and args and '(' in owner:
                self.contains(node, args[0], Thing(owner))
            return self.call_artifact(function)
        if isinstance(function, Own):
            found = self.method(function.node, '__call__')
            return self.enter(found, self.module, [function, *args], kwargs) if found is not None else None
        if not isinstance(function, Function):
            return passed_on(args, kwargs)
        if function.node is not None:
            if isinstance(function.node, ast.ClassDef):
                return self.make(function.node, args, kwargs)
            if any((dotted(each.func if isinstance(each, ast.Call) else each) or '').endswith('cache')
                   for each in getattr(function.node, 'decorator_list', ())):
                self.hash(node, joined(args))
            given = args if function.owner is None else [function.owner, *args]
            return self.enter(function.node, function.scope, given, kwargs)
        return self.call_library(node, function, args, kwargs, scope)

    def call_artifact(self, function):
        origin = self.known.name(function.origin) if '(' in function.origin else function.origin
        head, _, name = origin.rpartition('.')
        is_class = name.isidentifier() and '(' not in head and self.is_class(name)
        made = is_class or bool(head) and '(' not in origin and self.is_class(head.rpartition('.')[2])
        found = Thing(origin + '()', made)
        if is_class:
            found = Thing(name + '()', True)
            self.known.kinds.setdefault(found.origin, name)
        return found

    def is_class(self, name):
        return is_class_name(name) or any(each == name for _, each in self.file.used_as_classes | self.file.shown)

    def make(self, owner, args, kwargs):
        if any(part in (dotted(base) or '') for base in owner.bases for part in ('Enum', 'NamedTuple')):
            return None
        held = {}
        made = Own(owner, held)
        self.fill(owner, held)
        first = self.method(owner, '__init__')
        if first is not None:
            self.enter(first, self.module, [made, *args], kwargs)
        elif owner.decorator_list:
            names = [each.target.id for each in owner.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)]
            held.update(zip(names, args))
            held.update(kwargs)
        return made

    def fill(self, owner, held, depth=0):
        for base in owner.bases:
            known = self.own.get((dotted(base) or '').rpartition('.')[2])
            if known is not None and depth < 8:
                self.fill(known, held, depth + 1)
        inner = Scope(self.module)
        for each in owner.body:
            if isinstance(each, (ast.Assign, ast.AnnAssign)):
                self.statement(each, inner)
        held.update(inner.names)

    def method(self, owner, name, depth=0):
        for each in owner.body:
            if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)) and each.name == name:
                return each
        for base in owner.bases:
            known = self.own.get((dotted(base) or '').rpartition('.')[2])
            if known is not None and depth < 8:
                found = self.method(known, name, depth + 1)
                if found is not None:
                    return found
        return None

    def enter(self, node, scope, args, kwargs):
        """Follows a function of the suite with these arguments, and returns what it returns."""
        if node is None or self.depth >= MAX_DEPTH or self.calls >= MAX_CALLS:
            for each in [*args, *kwargs.values()]:
                self.assert_truth(each)
            return None
        self.depth += 1
        self.calls += 1
        inner, outer_returned, outer_file = Scope(scope), self.returned, self.file
        # Its names are those of its own file.
        self.returned, self.file = [], getattr(node, 'file', self.file)
        try:
            names = [each.arg for each in [*node.args.posonlyargs, *node.args.args]]
            defaults = dict(zip(names[len(names) - len(node.args.defaults):], node.args.defaults))
            inner.names.update((name, self.ev(each, scope)) for name, each in defaults.items())
            inner.names.update(zip(names, args))
            if node.args.vararg:
                inner.names[node.args.vararg.arg] = Group(joined(args[len(names):]))
            inner.names.update(kwargs)
            if isinstance(node, ast.Lambda):
                return self.ev(node.body, inner)
            generator = any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(node))
            self.body(node.body, inner)
            found = joined(self.returned)
            is_fixture = any(part in (dotted(each.func if isinstance(each, ast.Call) else each) or '')
                             for each in node.decorator_list for part in ('fixture', 'contextmanager'))
            return Group(found) if generator and not is_fixture else found
        finally:
            self.depth -= 1
            self.returned, self.file = outer_returned, outer_file

    def call_library(self, node, function, args, kwargs, scope):
        name = function.name
        last = name.rpartition('.')[2]
        if name.startswith('.'):
            return self.call_method(node, function, last, args, kwargs, scope)
        first = args[0] if args else None
        if last in RAISING:
            if len(args) > 1:
                self.call(node, args[1], args[2:], {}, scope)
            return None
        if name in ('isinstance', 'issubclass'):
            kind = args[1] if len(args) > 1 else None
            kind = kind.part if isinstance(kind, Group) else kind
            if isinstance(first, Thing) and isinstance(kind, Thing):
                self.known.show(first, kind.origin.rpartition('.')[2])
            elif name == 'issubclass' and isinstance(first, Thing) and isinstance(kind, Function) and kind.name in BASES:
                self.note(node, first, 'asks whether %%s is derived from %s' % kind.name)
            return PLAIN
        if name == 'type' and len(args) == 1 and isinstance(first, Thing) and self.known.kinds.get(self.known.name(first.origin)):
            return Thing(self.known.kinds[self.known.name(first.origin)])
        if name == 'gc.collect':
            # What a test no longer holds is still held in the artifact's box.
            self.note(node, None, 'expects that objects of the artifact are freed')
            return PLAIN
        if name == 'hash':
            self.hash(node, first)
            return PLAIN
        if name == 'bool':
            self.truth(node, first)
            return derived(first)
        if name in ('all', 'any'):
            items = self.items(first) if first is not None else None
            self.truth(node, items)
            return derived(items)
        if name == 'len' and isinstance(first, Thing):
            kind = self.known.kinds.get(self.known.name(first.origin))
            if kind:
                self.known.sized.add(kind)
            return derived(first, is_narrow=False)
        if name == 'len' and isinstance(first, Group):
            return Derived(first.asked) if first.asked else PLAIN
        if name == 'sum':
            items = joined([self.items(first), *args[1:]])
            part = part_of(items)
            if self.object_in(items) or part is not None and part.origin in self.known.callables:
                self.note(node, part, 'adds up %s')
            return items or PLAIN
        if name in SORTERS or name.startswith('bisect.') or name.startswith('heapq.'):
            self.sort(node, [self.items(first)] if len(args) == 1 else args, kwargs, scope)
            if last in ('min', 'max') or last == 'heappop':
                return self.items(first) if len(args) == 1 else joined(args)
            return Group(self.items(first))
        if name == 'map' or name.endswith('.starmap'):
            return Group(self.call(node, first, [self.items(each) for each in args[1:]], {}, scope))
        if name == 'functools.reduce':
            item = self.items(args[1]) if len(args) > 1 else None
            return self.call(node, first, [joined([args[2] if len(args) > 2 else None, item]), item], {}, scope)
        if name == 'functools.partial':
            return first
        if name.startswith('operator.'):
            return self.call_operator(node, last, args)
        if last in HASHING:
            items = self.items(first) if first is not None else None
            self.hash(node, items)
            kind = last if last in ('set', 'dict') else None
            given = items if items is not None else joined(list(kwargs.values())) or (PLAIN if args or kwargs else EMPTY)
            return Group(given, items or PLAIN, kind, first.asked if isinstance(first, Group) else frozenset())
        if name in ('zip', 'enumerate', 'itertools.product', 'itertools.zip_longest', 'itertools.pairwise', 'itertools.combinations'):
            return Group(Group(joined([self.items(each) for each in args])))
        if last in KEEPING:
            asked = frozenset().union(*(each.asked for each in args if isinstance(each, Group)))
            return Group(joined([self.items(each) for each in args]) or (PLAIN if args else EMPTY), asked=asked)
        if name == 'next':
            return self.items(first)
        if name in ('copy.copy', 'copy.deepcopy', 'pickle.loads', 'pickle.dumps'):
            return first
        if name.startswith('dataclasses.') and isinstance(first, Thing):
            self.known.by_fields.add(self.known.kinds.get(self.known.name(first.origin), first.origin))
            return first if last == 'replace' else PLAIN
        if name == 'abs':
            return self.calculate(node, first) if isinstance(first, Thing) else PLAIN
        if name in CONVERSIONS or last in CONVERSIONS:
            self.convert(node, args, strict=len(args) > 1)
            return derived(*args, is_narrow=False)
        if name in ('print', 'type', 'id', 'dir', 'hasattr', 'callable'):
            return PLAIN
        if name in ('str', 'repr', 'len', 'ord', 'ascii', 'vars'):
            return derived(*args, is_narrow=False)
        if name == 'getattr' and isinstance(first, Thing):
            return carrying(Thing(self.known.name(first.origin) + '.?'), first)
        if name.startswith('asyncio.') or name.startswith('contextlib.') or last in ('run', 'wait_for', 'gather', 'enterContext'):
            return joined(args)
        if last == 'param' or name.endswith('mock.call'):
            return Group(joined([*args, *kwargs.values()]))
        return passed_on(args, kwargs)

    def call_operator(self, node, name, args):
        if name in ORDERS:
            self.order(node, *args)
        elif name in ('eq', 'ne') and len(args) == 2:
            return self.compare(node, *args, name == 'eq')
        elif name in ARITHMETIC and len(args) == 2:
            return self.calculate(node, *args)
        elif name in SIGNS and args:
            return self.calculate(node, args[0])
        return PLAIN

    def call_method(self, node, function, name, args, kwargs, scope):
        owner = function.owner
        first = args[0] if args else None
        if name in RAISING:
            if len(args) > 1 and name != 'assertRaisesRegex':
                self.call(node, args[1], args[2:], {}, scope)
            return None
        if name in COMPARING and len(args) > 1:
            if name in ('assertIn', 'assertNotIn'):
                self.contains(node, *args[:2])
                if isinstance(args[1], Group):
                    self.assert_truth(truth_told(*args[:2]))
            elif name in ('assertAlmostEqual', 'assertNotAlmostEqual'):
                self.convert(node, args[:2], strict=True)
            else:
                self.assert_truth(self.compare(node, *args[:2], 'Not' not in name))
            return PLAIN
        if name in ('assertIs', 'assertIsNot') and len(args) > 1:
            self.assert_truth(truth_told(*args[:2]))
            return PLAIN
        if name in ORDERING:
            self.order(node, *args[:2])
            return PLAIN
        if name in ('assertTrue', 'assertFalse'):
            self.truth(node, first)
            self.assert_truth(first)
            return PLAIN
        if name in ('assertIsInstance', 'assertNotIsInstance') and len(args) > 1:
            if isinstance(first, Thing) and isinstance(args[1], Thing):
                self.known.show(first, args[1].origin.rpartition('.')[2])
            return PLAIN
        if name.startswith('assert_') and ('called' in name or 'awaited' in name or 'has_calls' in name):
            found = next((each for each in map(self.object_in, [*args, *kwargs.values()]) if each is not None), None)
            if found is not None and not self.is_by_fields(found):
                self.note(node, found, 'compares %s by its own ==')
            return None
        if not isinstance(owner, Group):
            if name == 'format' and self.object_in(joined(args) or PLAIN):
                pass  # A text is read, unless a format is given.
            return passed_on(args, kwargs)
        if name in ('append', 'add', 'insert', 'extend', 'appendleft', 'setdefault', 'update'):
            item = args[-1] if args else None
            item = self.items(item) if name in ('extend', 'update') else item
            owner.part = joined([owner.part if part_of(owner.part) else None, item, owner.part])
            if name == 'add':
                self.hash(node, item)
                owner.key = owner.part
            return owner.part if name == 'setdefault' else None
        if name in ('index', 'count', 'remove', 'discard') and self.object_in(first):
            self.contains(node, first, owner)
            return PLAIN
        if name in ('index', 'count'):
            return derived(owner, first)
        if name == 'sort':
            self.sort(node, [owner.part], kwargs, scope)
            return None
        if name in ('values', 'copy', 'union', 'difference', 'intersection'):
            return Group(owner.part, None if name == 'values' else owner.key)
        if name == 'keys':
            return Group(owner.key)
        if name == 'items':
            return Group(Group(joined([owner.part, owner.key])))
        if name in ('get', 'pop', 'popleft', 'popitem'):
            if owner.key is not None:
                self.hash(node, first)
            return owner.part
        return None
