"""Texts of objects of the artifact. Standard library only."""
from reports import is_reporting
from stand_in import id_of, is_derived, is_made, is_waiting, link_of


def label(part):
    return '<%s object of the artifact>' % type(part).__name__


def text_of(part, do):
    link = link_of(part)
    # For the names of tests no artifact need know what they expect.
    if is_made(part) and link.is_naming():
        return label(part)
    # Nor for the message of an assertion that has failed: the next test may expect the same.
    if is_waiting(part) and is_reporting(link.suite):
        return label(part)
    # A text is a plain value, and nothing that the test expects is told for it; but of what was calculated with such a value.
    if not link.allows('text', object.__getattribute__(part, '_judge_made') or not is_derived(part)):
        return label(part)
    return str(link.value({'do': do, 'of': id_of(part)}))
