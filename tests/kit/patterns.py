"""Patterns that a backtracking matcher does not finish in any reasonable time, and texts on which it does not."""

from __future__ import annotations

# Exponential time, or high polynomial time, on a text of FILL.
CATASTROPHIC = [
    r"(a+)+$",
    r"(a|aa)+$",
    r"(.*a){20}$",
    r"^(([a-z])+.)+[A-Z]([a-z])+$",
    r"(x+x+)+y",
    r"(.+)+\d\d\d$",
    r"(a?){50}a{50}$",
    r"(?|(a+)|(a+))+$",
    r"(?b)(?:aaaaaaaaaaaaaaaaaab){e}",
]
FILL = f"{'aaaa ' * 40}{'a' * 3000}!{'x' * 3000} {'a' * 35}!"

# Already on the sentences of an ordinary description.
CATASTROPHIC_ON_PROSE = [
    r"(.*\s){20}\d",
    r"(.*[a-z]){25}\d$",
    r"(.+)+\d\d\d$",
    r"^(\w|\w\w| )+\d$",
    r"(?b)(?:aaaaaaaaaaaaaaaaaab){e}",
]
