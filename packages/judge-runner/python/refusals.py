"""What ends a test or a run for what the artifact has answered. Standard library only."""


class Refused(BaseException):
    """An answer is no value where the test needs one. The test fails, whether it catches this or not."""


class ProtocolError(BaseException):
    """What arrived is no answer. Ends the whole run: no test can catch it."""


class Unsupported(TypeError):
    """The test passes something that cannot leave its box."""


class RemoteError(Exception):
    """The artifact raised what is no Exception."""


#: What helps against a refusal, as it is said without a reference and with one.
REMEDIES = (
    ('; neither the suite nor a reference vouches for its ', '; the reference used no object so at this place: `objects` of the suite may name its class, for its '),
    ('name its class in `objects`, or add a reference', 'the reference answered no such object at this place: name its class in `objects` of the suite'),
    ('name the function that answers it in `objects`, or add a reference',
     'the reference answered no such object at this place: name the function that answers it in `objects` of the suite'),
    ('name it in `objects`, or add a reference', 'that of the reference was compared otherwise at this place: name it in `objects` of the suite'),
    ('; remoteEq or a reference allows it', '; the reference used no operator of its own at this place: `objects` or `remoteEq` of the suite allows it'),
    ('itself for a copy; a reference allows it', 'itself for a copy; that of the reference did not at this place: name it in `objects` of the suite'),
    ('; a reference allows it', '; that of the reference did not at this place'),
    ('; add a reference', '; that of the reference did not at this place'),
)


def with_reference(reason):
    """The reason for a refusal where there is a reference: it says what the reference did, and does not ask for one."""
    for without, instead in REMEDIES:
        if without in reason:
            return reason.replace(without, instead)
    return reason
