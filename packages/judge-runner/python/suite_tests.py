"""Finds the tests of a file, and follows each with its fixtures and parameters. Standard library only."""
import ast

from suite_calls import MAX_DEPTH
from suite_syntax import dotted
from suite_values import Group, Own, Scope

SET_UP = ('__init__', 'setUpClass', 'setup_class', 'setUp', 'asyncSetUp', 'setup_method', 'setup')


class Tests:
    """Reads the tests of one file."""

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


def fixture_name(node):
    """The name of the fixture that a function is, or None."""
    for each in node.decorator_list:
        owner = each.func if isinstance(each, ast.Call) else each
        if (dotted(owner) or '').rpartition('.')[2] == 'fixture':
            words = each.keywords if isinstance(each, ast.Call) else []
            given = next((word.value.value for word in words if word.arg == 'name' and isinstance(word.value, ast.Constant)), None)
            return given or node.name
    return None
