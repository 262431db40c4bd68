"""Follows the expressions of a test: where their values come from. Standard library only."""
import ast
import builtins

from suite_syntax import VALUE_METHODS, is_literal
from suite_values import (
    EMPTY, FALSE, NONE, PLAIN, TRUE, Derived, Function, Group, Own, Scope, Thing, asked_by, carrying, derived, joined, part_of, truth_told)

MAX_WORK = 1_000_000
OPERATORS = {ast.Lt: 'lt', ast.LtE: 'le', ast.Gt: 'gt', ast.GtE: 'ge'}
#: Methods that call what they are given, or have it called.
REGISTERING = {'addCleanup', 'addfinalizer', 'callback', 'raises', 'assertRaises', 'assertRaisesRegex'}
#: Names by which a suite treats a class as one whose equality is that of its fields.
BY_FIELDS = {'asdict', 'astuple', 'fields', 'replace', '_replace', '_asdict', '_fields', 'is_dataclass'}


class Expressions:
    """What expressions of a test stand for."""

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
        if node is self.discarded and isinstance(node.func, ast.Attribute) and self.see_discarded(node.func, node.func.attr):
            pass
        elif isinstance(function, Thing) and isinstance(node.func, ast.Attribute):
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
