"""Comparisons with values of the test that the judge has denied by itself: an operator that says yes to everything must not profit from that.
Standard library only.
"""
#: Values of which the language alone says what they equal.
PLAIN = (type(None), bool, int, float, str, bytes, tuple, list, dict, set, frozenset)
#: Most comparisons of a test that are asked for at its end.
MAX_DENIED = 50
#: What no object of an artifact is meant to equal, of each type.
UNLIKELY = 'unlikely 7f1c9a'
PROBES = {int: -918_273_645_546, float: -918_273_645.125, str: UNLIKELY, bytes: UNLIKELY.encode(), tuple: (UNLIKELY, -1), list: [UNLIKELY, -1],
          dict: {UNLIKELY: -1}, set: {UNLIKELY}, frozenset: frozenset([UNLIKELY])}


class Denying:
    """The part of a link that remembers which comparisons it has denied."""

    def begin_denying(self):
        #: Objects with the values that they were compared with and the places, by class, type and place.
        self.denied = {}

    def deny(self, part, value):
        """Denies that an object equals a value, which the artifact is not told of now."""
        if type(value) in PLAIN and not self.is_looking and len(self.denied) < MAX_DENIED:
            place = self.site('denied')
            self.denied.setdefault((type(part), type(value), place), (part, value, place))
        return NotImplemented

    def confirm_denied(self):
        """Asks the operators, at the end of a test that has passed. A value that the object does not hold is not told: another stands for it."""
        denied, self.denied = list(self.denied.values()), {}
        for part, value, place in denied:
            probe = value if self.looked(lambda: self.holds(part, value)) else PROBES.get(type(value), value)
            if self.looked(lambda: self.says_equal(part, probe)) is True and not self.allows_at(place):
                raise self.refuse('its class %s calls an object equal to a %s that it is not' % (type(part).__name__, type(value).__name__))

    def holds(self, part, value):
        """True for a container of nothing but what an object has as its parts."""
        parts = self.parts(part)
        held = list(value.values()) if isinstance(value, dict) else list(value) if isinstance(value, (tuple, list, set, frozenset)) else [value]
        return all(any(type(each) is type(other) and each == other for other in parts) for each in held)

    def allows_at(self, place):
        """True where the reference said so at this place of this test."""
        if self.learning and place is not None:
            self.uses.setdefault(place, set()).add(self.test)
        return self.learning or self.test in self.known_uses.get(place, ())
