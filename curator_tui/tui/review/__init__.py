"""The parts of the review screen: what it shows is in ``model``, each other module is one thing that it does."""
