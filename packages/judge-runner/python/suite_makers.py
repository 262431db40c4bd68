"""Finds names that a suite calls like classes: what they make is given to the artifact, or compared with its answers. Standard library only.

It follows names only, not which of two values of one name is meant, and takes a method of any object for one of the artifact's.
"""
import ast
import pathlib

LOADERS = {'import_module', '__import__', 'importorskip'}
#: Variables are assigned from others, which are assigned from others.
ROUNDS = 3


def last_name(node):
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else None


def parts_of(node):
    """The expressions whose values an expression is, or holds."""
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return node.elts
    if isinstance(node, ast.Dict):
        return node.values
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        return [node.elt]
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, (ast.Subscript, ast.Starred, ast.NamedExpr, ast.Await)):
        return [node.value]
    return []


class Names:
    """What the names of a suite's files stand for."""

    def __init__(self, trees):
        nodes = [node for tree in trees for node in ast.walk(tree)]
        #: Modules by the name of a file, and names of modules by those that a file gives them; True where a file imports all.
        self.modules, self.imported, self.is_star = set(), {}, False
        #: Calls that variables, attributes (`.name`) and results of functions of the suite hold.
        self.held = {}
        for node in nodes:
            self.read_import(node)
        for _ in range(ROUNDS):
            for node in nodes:
                self.read(node)

    def read_import(self, node):
        if isinstance(node, ast.Import):
            self.modules |= {alias.asname or alias.name.partition('.')[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            self.is_star = self.is_star or any(alias.name == '*' for alias in node.names)
            self.imported.update({alias.asname or alias.name: alias.name for alias in node.names})

    def read(self, node):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self.assign(target, node.value)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            self.assign(node.target, node.value)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            self.assign(node.target, node.iter)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for each in ast.walk(node):
                if isinstance(each, (ast.Return, ast.Yield)) and each.value is not None:
                    self.hold(node.name, each.value)

    def assign(self, target, value):
        if isinstance(target, (ast.Tuple, ast.List)):
            for each in target.elts:
                self.assign(each, value)
        elif isinstance(target, ast.Name):
            is_module = isinstance(value, ast.Call) and last_name(value.func) in LOADERS
            if is_module:
                self.modules.add(target.id)
            other = self.artifact_name(value)
            if other is not None:
                self.imported[target.id] = other
            self.hold(target.id, value)
        elif isinstance(target, ast.Attribute):
            self.hold('.' + target.attr, value)

    def hold(self, name, value):
        self.held.setdefault(name, set()).update(self.called(value))

    def artifact_name(self, node):
        """The name that a module has for what an expression stands for; None where it does not stand for that of one."""
        if isinstance(node, ast.Name):
            return self.imported.get(node.id, node.id if self.is_star and node.id not in self.held else None)
        if isinstance(node, ast.Attribute):
            root = node.value
            while isinstance(root, ast.Attribute):
                root = root.value
            return node.attr if isinstance(root, ast.Name) and root.id in self.modules else None
        if isinstance(node, ast.Call) and last_name(node.func) == 'getattr' and len(node.args) > 1 and isinstance(node.args[1], ast.Constant):
            return node.args[1].value
        return None

    def called(self, node):
        """Names that an expression consists of calls of: those of modules, and `.name` for a method."""
        if isinstance(node, ast.Call):
            name = self.artifact_name(node.func)
            if name is not None:
                return {name}
            return {'.' + node.func.attr} if isinstance(node.func, ast.Attribute) else self.held.get(last_name(node.func), set())
        if isinstance(node, ast.Name):
            return self.held.get(node.id, set())
        if isinstance(node, ast.Attribute):
            return self.held.get('.' + node.attr, set())
        return set().union(*map(self.called, parts_of(node)))


class Makers(ast.NodeVisitor):
    """Names that make what is compared with the answers of others, or what those are given."""

    def __init__(self, names):
        self.names, self.found = names, set()

    def compared(self, operands):
        names = [self.names.called(each) for each in operands]
        for at, own in enumerate(names):
            others = set().union(*(each for index, each in enumerate(names) if index != at))
            if own and others - own:
                self.found |= own

    def visit_Compare(self, node):
        self.compared([node.left, *node.comparators])
        self.generic_visit(node)

    def visit_Call(self, node):
        args = [*node.args, *(each.value for each in node.keywords)]
        name, method = self.names.artifact_name(node.func), node.func.attr if isinstance(node.func, ast.Attribute) else ''
        if method.startswith('assert'):
            self.compared(args)
        elif method == 'parametrize':
            self.found |= set().union(*(self.names.called(each) for part in args for each in ast.walk(part) if isinstance(each, ast.Call)))
        elif name is not None or method:
            self.found |= set().union(*map(self.names.called, args)) - {name}
        self.generic_visit(node)


def makers_of(folder):
    """The names in all files of a suite."""
    trees = []
    for path in pathlib.Path(folder).rglob('*.py'):
        try:
            trees.append(ast.parse(path.read_text('utf-8')))
        except (OSError, SyntaxError, ValueError):
            pass  # pytest says what is wrong with it.
    makers = Makers(Names(trees))
    for tree in trees:
        makers.visit(tree)
    return makers.found
