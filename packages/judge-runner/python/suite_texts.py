"""Tells which expressions of a suite's file are made of what stands in it, and of nothing that an artifact says. Standard library only."""
import ast
import builtins

#: Modules of the library that compute with what they are given.
COMPUTING = frozenset('ast collections datetime decimal fractions functools itertools json math operator random re string textwrap typing'.split())
#: Functions of the language that bring something from elsewhere.
ELSEWHERE = frozenset('open input getattr setattr vars globals locals __import__ breakpoint'.split())
FUNCTIONS = ast.FunctionDef, ast.AsyncFunctionDef


def names_in(target):
    """Names that an assignment to this target sets, or changes."""
    while isinstance(target, (ast.Attribute, ast.Subscript, ast.Starred)):
        target = target.value
    return [name for each in target.elts for name in names_in(each)] if isinstance(target, (ast.Tuple, ast.List)) else [target.id] if isinstance(target, ast.Name) else []


def parameters(function):
    given = function.args
    return [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg) if each is not None]


class OwnTexts:
    """What the names of a file stand for, wherever they are bound."""

    def __init__(self, tree):
        self.bound, self.calls, self.modules, self.unknown = {}, {}, {}, set()
        #: What changes a name beside an assignment to it.
        self.changes = {}
        self.pending = set()
        for node in ast.walk(tree):
            self.read(node)

    def bind(self, target, value):
        for name in names_in(target):
            self.bound.setdefault(name, []).append(value)
            if not isinstance(target, ast.Name):
                self.changes.setdefault(name, []).append(value)

    def read(self, node):
        if isinstance(node, ast.Assign):
            for each in node.targets:
                self.bind(each, node.value)
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value is not None:
            self.bind(node.target, node.value)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            self.bind(node.target, node.iter)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            self.bind(node.optional_vars, node.context_expr)
        elif isinstance(node, FUNCTIONS):
            self.read_function(node)
        elif isinstance(node, ast.Call):
            self.read_call(node)
        elif isinstance(node, ast.Import):
            self.modules.update((each.asname or each.name.partition('.')[0], each.name) for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            self.modules.update((each.asname or each.name, '' if node.level else node.module or '') for each in node.names)
        elif isinstance(node, ast.ClassDef):
            self.unknown.add(node.name)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            self.unknown.add(node.name)
        elif isinstance(node, ast.Lambda):
            self.unknown.update(parameters(node))

    def read_call(self, node):
        given = [*node.args, *(each.value for each in node.keywords)]
        if isinstance(node.func, ast.Name):
            self.calls.setdefault(node.func.id, []).extend(given)
        elif isinstance(node.func, ast.Attribute):
            # `parts.append(x)`
            for each in given:
                self.bind(ast.Attribute(value=node.func.value), each)

    def read_function(self, node):
        """A function, whose parameters are what marks say, or what it is called with."""
        self.bound.setdefault(node.name, []).append(node)
        is_called = not node.name.startswith('test') and not node.decorator_list
        listed = {}
        for mark in node.decorator_list:
            if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Attribute) and mark.func.attr == 'parametrize' and len(mark.args) > 1:
                names = mark.args[0].value if isinstance(mark.args[0], ast.Constant) else ''
                listed.update(dict.fromkeys((each.strip() for each in str(names).split(',')), mark.args[1]))
        for name in parameters(node):
            if name in listed:
                self.bound.setdefault(name, []).append(listed[name])
            elif is_called:
                self.bound.setdefault(name, []).append(ast.Name(id=node.name + '()'))
            else:
                self.unknown.add(name)

    def changes_by_others(self, name):
        """True for a name that a file changes by what is not its own: `names['a'] = answer()`."""
        return not all(map(self.is_own, self.changes.get(name, ())))

    def is_own(self, node):
        """True for an expression, or a function, in which every name stands for something of the file, or of what computes."""
        if isinstance(node, FUNCTIONS):
            own = set(parameters(node))
            return all(self.is_own_name(each.id) for part in node.body for each in ast.walk(part) if isinstance(each, ast.Name) and each.id not in own)
        return all(self.is_own_name(each.id) for each in ast.walk(node) if isinstance(each, ast.Name))

    def is_own_name(self, name):
        if name in self.pending:
            return True
        if name.endswith('()'):
            return all(map(self.is_own, self.calls.get(name[:-2], ())))
        if name in self.unknown or name in self.modules and self.modules[name].partition('.')[0] not in COMPUTING:
            return False
        if name not in self.bound:
            return name in self.modules or hasattr(builtins, name) and name not in ELSEWHERE
        self.pending.add(name)
        try:
            return all(map(self.is_own, self.bound[name]))
        finally:
            self.pending.discard(name)
