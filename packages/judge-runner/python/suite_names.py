"""Names that stand in the programs of a suite, by which its tests may look something up. Standard library only."""
import ast
import re

#: First parts of what decides tests, which programs import and name for themselves: an answer leads there only where a text of theirs does.
DECIDING = frozenset('__main__ builtins sys pytest _pytest unittest pluggy importlib'.split())
PART = re.compile(r'[.:]')
#: Words of a text, and paths of words.
WORD = re.compile(r'(?:\w|(?<=\w)[.:](?=\w))+|\w+')


def chain_of(node):
    """`a.b` of an attribute, None for what is none of a name."""
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return '.'.join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else None


def parts_of(path):
    """The names of a path, and the paths to each."""
    ends = [each.start() for each in PART.finditer(path)]
    return [*PART.split(path), *(path[:end] for end in ends), path]


def named_by(node):
    """What a part of a program writes of names."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value, *(part for word in WORD.findall(node.value) for part in parts_of(word))]
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute):
        return [node.attr, *parts_of(chain_of(node) or '')]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        module = [] if isinstance(node, ast.Import) else [node.module or '']
        return [part for name in [*module, *(each.name for each in node.names)] for part in parts_of(name)]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    return [node.arg] if isinstance(node, (ast.arg, ast.keyword)) and node.arg else []


def names_in(tree):
    found = {(name, isinstance(node, ast.Constant)) for node in ast.walk(tree) for name in named_by(node)}
    return {name for name, is_text in found if name != '__main__' and (is_text or PART.split(name)[0] not in DECIDING)}
