"""Follows the statements of a test: what its variables stand for. Standard library only."""
import ast

from suite_syntax import dotted
from suite_values import Derived, Function, Group, Own, Thing, joined, part_of


def may_fail(body):
    """True for statements that fail a test by themselves, without an assertion."""
    return any(isinstance(each, ast.Raise) or isinstance(each, ast.Call) and (dotted(each.func) or '').rpartition('.')[2] == 'fail'
               for statement in body for each in ast.walk(statement))


class Statements:
    """What statements of a test bind and assert."""

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
        method = getattr(self, 'st_' + type(node).__name__, None)
        if method is not None:
            method(node, scope)

    def st_Assign(self, node, scope):
        for target in node.targets:
            self.unpack(target, node.value, scope)

    def st_AnnAssign(self, node, scope):
        if node.value is not None:
            self.bind(node.target, self.ev(node.value, scope), scope)

    def st_AugAssign(self, node, scope):
        value = self.calculate(node, self.ev(node.target, scope), self.ev(node.value, scope))
        self.bind(node.target, value, scope)

    def st_FunctionDef(self, node, scope):
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

    st_AsyncFunctionDef = st_ClassDef = st_FunctionDef

    def st_Return(self, node, scope):
        self.returned.append(self.ev(node.value, scope))

    def st_Assert(self, node, scope):
        value = self.ev(node.test, scope)
        self.truth(node, value)
        self.assert_truth(value)

    def st_For(self, node, scope):
        if isinstance(node.iter, (ast.Tuple, ast.List)) and isinstance(node.target, (ast.Tuple, ast.List)):
            self.bind_rows(node.target.elts, node.iter.elts, scope)
        else:
            self.bind(node.target, self.each_of(node.iter, scope), scope)
        self.body(node.body, scope)
        self.body(node.orelse, scope)

    st_AsyncFor = st_For

    def st_If(self, node, scope):
        value = self.ev(node.test, scope)
        self.truth(node.test, value)
        if may_fail([*node.body, *node.orelse]):
            self.assert_truth(value)
        self.body(node.body, scope)
        self.body(node.orelse, scope)

    st_While = st_If

    def st_With(self, node, scope):
        for each in node.items:
            value = self.ev(each.context_expr, scope)
            if each.optional_vars is not None:
                self.bind(each.optional_vars, Thing(value.origin + '.__enter__()') if isinstance(value, Thing) else value, scope)
        self.body(node.body, scope)

    st_AsyncWith = st_With

    def st_Try(self, node, scope):
        self.body(node.body, scope)
        for each in node.handlers:
            self.body(each.body, scope)
        self.body(node.orelse, scope)
        self.body(node.finalbody, scope)

    st_TryStar = st_Try

    def st_Expr(self, node, scope):
        self.discarded = node.value.value if isinstance(node.value, ast.Await) else node.value
        value = self.ev(node.value, scope)
        if isinstance(value, Derived):
            # An assertion of somebody else's, or a collector.
            self.assert_truth(value)

    def st_Match(self, node, scope):
        subject = self.ev(node.subject, scope)
        for each in node.cases:
            for part in ast.walk(each.pattern):
                if type(part).__name__ == 'MatchValue':
                    self.assert_truth(self.compare(part, subject, self.ev(part.value, scope)))
                elif type(part).__name__ == 'MatchSingleton':
                    self.assert_truth(subject)
            self.body(each.body, scope)

    def st_Delete(self, node, scope):
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
