"""What threads and contexts hold by which the other box knows them. Standard library only."""


class Mark:
    """What a thread or context holds by which the other box knows it, until it ends."""

    def __init__(self, number, gone):
        self.number, self.gone = number, gone

    def __del__(self):
        self.gone.append(self.number)
