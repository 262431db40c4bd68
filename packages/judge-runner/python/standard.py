"""Values of the standard library that cross between two boxes as what they are. Standard library only."""
import datetime
import decimal
import fractions


def encode_std(part):
    """Values of the standard library that mean the same everywhere, or None. Exact types only."""
    kind = type(part)
    if kind is decimal.Decimal or kind is fractions.Fraction:
        return {'$std': [kind.__name__, str(part)]}
    if kind in (datetime.datetime, datetime.date, datetime.time) and getattr(part, 'tzinfo', None) is None:
        return {'$std': [kind.__name__, part.isoformat()]}
    if kind is datetime.timedelta:
        return {'$std': ['timedelta', '%d %d %d' % (part.days, part.seconds, part.microseconds)]}
    if kind is range:
        return {'$std': ['range', '%d %d %d' % (part.start, part.stop, part.step)]}
    return None


def decode_std(content):
    name, text = content
    if len(text) > 10_000:
        raise ValueError('too long')
    if name == 'Decimal':
        return decimal.Decimal(text)
    if name == 'Fraction':
        return fractions.Fraction(text)
    if name in ('datetime', 'date', 'time'):
        return getattr(datetime, name).fromisoformat(text)
    numbers = [int(part) for part in text.split()]
    return datetime.timedelta(*numbers) if name == 'timedelta' else range(*numbers)
