"""Tells where a suite looks at the process of its tests: what an artifact does to its own process is not seen there. Standard library only."""
import ast

#: Functions that measure, or that read what nobody else has changed there.
CALLS = {'resource.getrusage', 'os.times', 'gc.get_objects', 'gc.get_count', 'sys.getrefcount', 'threading.active_count', 'threading.enumerate',
         'asyncio.all_tasks', 'signal.getsignal', 'signal.getitimer', 'sys.getprofile', 'sys.gettrace', 'gc.isenabled', 'gc.get_threshold',
         'sys.getswitchinterval', 'socket.getdefaulttimeout', 'faulthandler.is_enabled', 'locale.getlocale', 'multiprocessing.active_children'}
CALLS |= {'tracemalloc.' + name for name in ('start', 'take_snapshot', 'get_traced_memory')}
CALLS |= {'time.%s%s' % (name, unit) for name in ('process_time', 'thread_time') for unit in ('', '_ns')}
#: What both processes have alike, or what differs at each look.
SHARED = {'sys.stdout', 'sys.stderr', 'sys.stdin', 'sys.argv', 'sys.getrecursionlimit', 'sys.get_int_max_str_digits', 'os.environ', 'os.getcwd', 'os.umask',
          'threading.get_ident', 'threading.current_thread', 'threading.main_thread'}
ALIKE = ('random', 'logging', 'decimal', 'numpy', 'tempfile', 'pathlib', 'datetime', 'os', 'time.time', 'time.monotonic', 'time.perf_counter', 'uuid')
#: What makes a copy of a container.
COPIES = {'list', 'tuple', 'dict', 'set', 'frozenset', 'sorted', 'copy.copy', 'copy.deepcopy'}


def without_copy(node, path_of):
    """`sys.path` of `list(sys.path)`, `sys.path[:]` and `sys.path.copy()`."""
    if isinstance(node, ast.Call):
        if path_of(node.func) in COPIES and len(node.args) == 1:
            return node.args[0]
        if isinstance(node.func, ast.Attribute) and node.func.attr == 'copy' and not node.args:
            return node.func.value
    return node.value if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) else node


def is_constant(node):
    """True for `25`, `'a'`, and lists, tuples and dicts of such."""
    return all(isinstance(each, (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.UnaryOp, ast.unaryop, ast.expr_context)) for each in ast.walk(node))


def looks_of(node, path_of):
    """What an expression reads of modules of the library, by what it is written as: `sys.excepthook`, `sys.getswitchinterval()`."""
    found = {}
    for each in node.elts if isinstance(node, (ast.Tuple, ast.List)) else [node]:
        part = without_copy(each, path_of)
        path = path_of(part.func if isinstance(part, ast.Call) else part)
        # What it answers for the same constants depends on the process alone.
        is_given = isinstance(part, ast.Call) and not all(map(is_constant, [*part.args, *(each.value for each in part.keywords)]))
        if path is not None and '.' in path and not is_given and path not in SHARED and not path.startswith(ALIKE):
            found[ast.dump(part)] = path + ('()' if isinstance(part, ast.Call) else '')
    return found


def is_apart(path):
    """True for the path of what each process has for itself."""
    return path is not None and '.' in path and path not in SHARED and path != 'sys.modules' and not path.startswith(ALIKE)


def unchanged_in(node, bound, path_of):
    """What a comparison wants to be as it was before: `time.sleep is before`, by its name; None for other comparisons.

    `bound`: the expressions that each name of the file stands for.
    """
    sides = [node.left, *node.comparators]
    now = {}
    for each in sides:
        now.update(looks_of(each, path_of))
    for each in sides:
        for value in bound.get(each.id, ()) if isinstance(each, ast.Name) else ():
            for text, path in looks_of(value, path_of).items() if isinstance(value, ast.expr) else ():
                if text in now:
                    return path
    if isinstance(node.ops[0], (ast.In, ast.NotIn)) and path_of(node.comparators[0]) == 'sys.modules':
        return 'sys.modules'
    return None
