"""What threads and contexts hold by which the other box knows them. Standard library only."""

#: Most numbers that one message tells have ended.
MAX_ENDED = 1000


class Mark:
    """What a thread or context holds by which the other box knows it, until it ends."""

    def __init__(self, number, gone):
        self.number, self.gone = number, gone

    def __del__(self):
        self.gone.append(self.number)


def ended(numbers):
    """Takes the numbers of what has ended, to tell them."""
    return [numbers.popleft() for _ in range(min(len(numbers), MAX_ENDED))]
