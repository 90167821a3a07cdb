"""The validation core: pure values and rules.

Beside the standard library it imports two packages: msgspec, whose ``Struct`` is the base of every value (a class of it
costs a start twenty microseconds, a frozen data class half a millisecond), and rapidfuzz where texts are compared.
"""
