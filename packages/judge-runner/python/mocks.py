"""Mocks of a test: what of them says what was called, and what they say yes to. Standard library only."""
import sys

from method_names import PREDICATES

#: Special methods of a mock that tell nothing about the content of an answer.
HARMLESS = frozenset('__%s__' % name for name in 'eq ne hash str repr bool call enter exit aenter aexit'.split())
#: Attributes of mocks that say what was called: nothing that an artifact may change or read.
RECORDS = frozenset('called call_count call_args call_args_list mock_calls method_calls await_count await_args await_args_list'.split())
MOCK = None


def is_mock(part):
    mock = sys.modules.get('unittest.mock')
    return mock is not None and isinstance(part, mock.NonCallableMock)


def names_in(mock):
    """Names of the parts that a mock has made so far, of those that plain values have as well."""
    return {name for name in vars(mock).get('_mock_children', ())
            if name in PREDICATES or name.startswith('__') and name not in HARMLESS}


def mock_names():
    global MOCK
    if MOCK is None:
        mock = sys.modules['unittest.mock']
        MOCK = frozenset(dir(mock.MagicMock)) | {'return_value', 'side_effect'} | RECORDS
    return MOCK
