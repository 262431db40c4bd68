"""Reads from the source of classes derived from a tuple whether they pack what they are given: `tuple.__new__(cls, (x, y))`. Standard library only."""
import ast
import inspect

from keeping import tree_of
from making import parameters_of, told_constant


def packing_of(kind, tell):
    """How a class makes tuples of its arguments, where its `__new__` does nothing else; None for any other class."""
    try:
        home = next(base for base in kind.__mro__ if '__new__' in vars(base))
        made_by = next(vars(base)['__new__'] for base in kind.__mro__[kind.__mro__.index(home) + 1:] if '__new__' in vars(base))
        if made_by is not tuple.__new__ or kind.__init__ is not object.__init__ or type(kind).__call__ is not type.__call__:
            return None
        names = names_packed(tree_of(getattr(vars(home)['__new__'], '__func__', None)))
        parameters = parameters_of(kind.__new__)
        given = [name for _, name, _ in parameters]
        constants = defaults_of(kind, tell)
        is_whole = sorted(names) == sorted(given) and all(what in ('only', 'both', 'args') and (not is_optional or name in constants)
                                                          for what, name, is_optional in parameters)
        # What is given as `*rest` stands at the end.
        is_known = is_whole and (all(what != 'args' for what, _, _ in parameters) or names == given)
        told = {'base': 'tuple', 'simple': True, 'parameters': parameters, 'packs': names, 'constants': list(map(list, constants.items()))}
        return told if is_known else None
    except Exception:
        return None  # The source of an artifact's class may be anything: such a class is told without a claim.


def defaults_of(kind, tell):
    """The defaults of a `__new__` that never change, as they are told, by the names of its parameters."""
    found = {str(each.name): told_constant(each.default, tell) for each in inspect.signature(kind.__new__).parameters.values() if each.default is not each.empty}
    return {name: told[0] for name, told in found.items() if told is not None}


def names_packed(node):
    """The parameters that a `__new__` gives to that of the tuple, in their order."""
    body = [each for each in node.body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]
    call, own = body[0].value, node.args.args[0].arg
    function, args = call.func, call.args
    if len(body) != 1 or not isinstance(body[0], ast.Return) or function.attr != '__new__' or call.keywords or len(args) != 2 or not is_name(args[0], own):
        raise ValueError('a function that does more')
    owner = function.value
    if not is_name(owner, 'tuple') and not (isinstance(owner, ast.Call) and is_name(owner.func, 'super')):
        raise ValueError('a function of another class')
    rest = node.args.vararg and node.args.vararg.arg
    if rest is not None and is_name(args[1], rest):
        return [rest]
    parts = args[1].elts if isinstance(args[1], ast.Tuple) else [None]
    return [each.value.id if isinstance(each, ast.Starred) and is_name(each.value, rest) else each.id for each in parts
            if isinstance(each, ast.Starred) or each.id != rest]


def is_name(node, name):
    return isinstance(node, ast.Name) and node.id == name
