"""What ends a test or a run for what the artifact has answered. Standard library only."""


class Refused(BaseException):
    """An answer is no value where the test needs one. The test fails, whether it catches this or not."""


class ProtocolError(BaseException):
    """What arrived is no answer. Ends the whole run: no test can catch it."""


class Unsupported(TypeError):
    """The test passes something that cannot leave its box."""


class RemoteError(Exception):
    """The artifact raised what is no Exception."""
