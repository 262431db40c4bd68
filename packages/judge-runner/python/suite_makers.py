"""Finds names that a suite calls like classes: what they make is given to the artifact, or compared with its answers. Standard library only."""
import ast
import pathlib


class Makers(ast.NodeVisitor):
    """Names of one file that make what is compared with the answers of others."""

    def __init__(self, tree):
        self.found = set()
        self.imported = {alias.asname or alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
        self.assigned = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                self.assigned.setdefault(node.targets[0].id, set()).update(self.called(node.value))
        self.visit(tree)

    def called(self, node):
        """Names that an expression consists of calls of."""
        if isinstance(node, ast.Call):
            return {node.func.id} & self.imported if isinstance(node.func, ast.Name) else set()
        if isinstance(node, ast.Name):
            return self.assigned.get(node.id, set())
        return set().union(*map(self.called, node.elts)) if isinstance(node, (ast.List, ast.Tuple, ast.Set)) else set()

    def compared(self, operands):
        names = [self.called(each) for each in operands]
        for at, own in enumerate(names):
            others = set().union(*(each for index, each in enumerate(names) if index != at))
            if own and others - own:
                self.found |= own

    def visit_Compare(self, node):
        self.compared([node.left, *node.comparators])
        self.generic_visit(node)

    def visit_Call(self, node):
        args = [*node.args, *(each.value for each in node.keywords)]
        if isinstance(node.func, ast.Name) and node.func.id in self.imported:
            self.found |= set().union(*map(self.called, args)) - {node.func.id}
        elif isinstance(node.func, ast.Attribute) and node.func.attr.startswith('assert'):
            self.compared(args)
        elif isinstance(node.func, ast.Attribute) and node.func.attr == 'parametrize':
            self.found |= set().union(*(self.called(each) for part in args for each in ast.walk(part) if isinstance(each, ast.Call)))
        self.generic_visit(node)


def makers_of(folder):
    """The names in all files of a suite."""
    found = set()
    for path in pathlib.Path(folder).rglob('*.py'):
        try:
            found |= Makers(ast.parse(path.read_text('utf-8'))).found
        except (OSError, SyntaxError, ValueError):
            pass  # pytest says what is wrong with it.
    return found
