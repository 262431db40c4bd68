"""JSON as the judge's lines have it. `json` itself takes longer to import than all else that a launcher does, for the sake
of its error messages; the parts of it that are written in C are enough here. Standard library only.
"""


class Settings:
    """What the scanner asks of its decoder."""
    strict = True
    object_hook = object_pairs_hook = parse_constant = None
    parse_float, parse_int = float, int

    def __init__(self):
        self.memo = {}


def unserializable(value):
    raise TypeError('%s is not JSON' % type(value).__name__)


def make():
    """(dumps, loads), on CPython without anything that is written in Python."""
    try:
        from _json import encode_basestring_ascii, make_encoder, make_scanner
        scan = make_scanner(Settings())
        write = make_encoder(None, unserializable, encode_basestring_ascii, None, ': ', ', ', False, False, True)

        def loads(text):
            return scan(text, 0)[0]

        def dumps(value):
            return ''.join(write(value, 0))

        if loads('{"a": [1, null, "\\u00e9"]}') == {'a': [1, None, '\u00e9']} and dumps({'a': [1]}) == '{"a": [1]}':
            return dumps, loads
    except Exception:
        pass  # Another Python, or one that has changed.
    import json
    return json.dumps, json.loads
