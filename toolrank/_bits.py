"""Sets of tool ids as Python integers: bit i stands for id i.

Whole-set operations on one integer cost tens of nanoseconds at thousands of tools, so a query is a handful of ANDs.
Single bits of a wide integer are dear to probe; nothing here or elsewhere does it in a loop over a wide set.

A *counter* is a list of such integers, least significant first: bit i of plane k is bit k of tool i's number. Adding to
all tools' numbers at once is a row of full adders.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["add", "add_all", "ids_of", "mask_of", "spread"]


# Up to so many bits are set one by one in an integer, more in an array.
_SHIFTED = 4


def mask_of(ids: Iterable[int], size: int) -> int:
    """Return the set of `ids`, each below `size`, as an integer.

    Cost: O(size / 8 + ids).

    >>> bin(mask_of([0, 3], 4))
    '0b1001'
    """
    if isinstance(ids, (tuple, list)) and len(ids) <= _SHIFTED:
        mask = 0
        for i in ids:
            mask |= 1 << i
        return mask
    packed = bytearray(size + 7 >> 3)
    for i in ids:
        packed[i >> 3] |= 1 << (i & 7)
    return int.from_bytes(packed, "little")


# Up to so many bits are found one by one, and more where the set is wide; else by reading all digits.
_FEW = 12
_WIDE = 256
_MANY = 96


def ids_of(mask: int, most: int | None = None) -> list[int]:
    """Return the ids in `mask`, highest first: the first `most`, or all.

    Cost: O(size) and O(ids).

    >>> ids_of(0b1101), ids_of(0b1101, 2)
    ([3, 2, 0], [3, 2])
    """
    found: list[int] = []
    if most is None or most > _FEW:
        count = mask.bit_count()
        most = count if most is None else min(most, count)
        if most > min(_FEW + mask.bit_length() // _WIDE, _MANY):
            digits = f"{mask:b}"
            last = len(digits) - 1
            at = -1
            for _ in range(most):
                at = digits.index("1", at + 1)
                found.append(last - at)
            return found
    while mask and len(found) < most:
        top = mask.bit_length() - 1
        found.append(top)
        mask ^= 1 << top
    return found


def add(counter: list[int], mask: int, amount: int = 1) -> None:
    """Add `amount` to the number of every tool in `mask`.

    Cost: O(planes) set operations.

    >>> counter = []
    >>> add(counter, 0b011, 5)
    >>> add(counter, 0b110, 3)
    >>> [sum((plane >> i & 1) << k for k, plane in enumerate(counter)) for i in range(3)]
    [5, 8, 3]
    """
    carry = 0
    k = 0
    while amount or carry:
        if k == len(counter):
            counter.append(0)
        plane = counter[k]
        if amount & 1:
            counter[k] = plane ^ mask ^ carry
            carry = plane & (mask | carry) | mask & carry
        else:
            counter[k] = plane ^ carry
            carry &= plane
        amount >>= 1
        k += 1


def add_all(counter: list[int], numbers: list[int], mask: int) -> None:
    """Add one counter to another, for the tools in `mask`.

    Cost: O(planes) set operations.

    >>> counter = [0b01, 0b10]
    >>> add_all(counter, [0b11, 0b10], 0b11)
    >>> counter
    [2, 1, 2]
    """
    carry = 0
    for k, number in enumerate(numbers):
        plane = number & mask
        if k == len(counter):
            counter.append(carry ^ plane)
            carry &= plane
        elif plane or carry:
            before = counter[k]
            either = before ^ plane
            counter[k] = either ^ carry
            carry = before & plane | either & carry
    if carry:
        _carry_on(counter, carry, len(numbers))


def _carry_on(counter: list[int], carry: int, k: int) -> None:
    """Add 2^k to the number of every tool in `carry`."""
    while carry:
        if k == len(counter):
            counter.append(carry)
            return
        counter[k], carry = counter[k] ^ carry, counter[k] & carry
        k += 1


def spread(sets: Iterable[int], amounts: Iterable[int], size: int) -> int:
    r"""Return the number of every tool in a byte of its own: the sum, 15 at most, of the amounts of the sets it is in.

    Cost: O(size) for each set.

    >>> spread([0b011, 0b110], [5, 3], 3).to_bytes(3, "little")
    b'\x05\x08\x03'
    """
    # Each binary digit becomes a hexadecimal one, in which the amounts add up, and each of these a byte.
    digits = sum([amount * int(f"{tools:b}", 16) for tools, amount in zip(sets, amounts) if tools and amount])
    return int.from_bytes(f"{digits:0{size}x}".encode().translate(_DIGITS), "big")


_DIGITS = bytes(int(chr(b), 16) if chr(b) in "0123456789abcdef" else 0 for b in range(256))
