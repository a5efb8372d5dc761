"""What makes a sentence hard to read, as patterns. Each finds little that is plain: a pattern that is wrong often
teaches people to write for the pattern.

A sentence that begins with a clause in place of a noun ("What is played …", "Whose line it is …") hides what it is about.
So does one that ends with its subject, and a word order that is rare today ("is to be", "be it").
"""

import re

# How a sentence begins. "What is it?" is a question, and plain.
BEGINNINGS = [
    r"What(?:ever)?\b",
    r"Who(?:ever|se|m)?\b",
    r"Which(?:ever)?\b",
    r"(?:Of|By|To|For|From|With) (?:whom|what|which)\b",
    r"Of (?:those|them|these|it)\b",
    r"Where (?:it|they|he|she|one|nothing|nobody|none)\b",
    r"That (?:which|of|alone)\b",
]

# What stands anywhere in a sentence.
ANYWHERE = [
    r"\b(?:is|are|was|were) to be\b",
    r"\bbe (?:it|they) \w+",
    r"\bas (?:it|they) bec[ao]me\b",
    r"\b(?:of|by|to|for|from|with) whom\b",
    r"\bwhereof\b|\bthereof\b|\bwherein\b",
    r"\b(?:is|are) no (?:more )?\w+,? but\b",
]

_SENTENCE = re.compile(r"(?<=[.!?:;])\s+(?=[A-Z`])")
_LEAD = re.compile(r"^(?:[-*>]\s+|\d+\.\s+)*[*_]*")
_BEGINNING = re.compile("|".join(BEGINNINGS))
_ANYWHERE = re.compile("|".join(ANYWHERE))


def sentences(text):
    return [sentence for sentence in _SENTENCE.split(text.strip()) if sentence]


def is_hard(sentence) -> bool:
    sentence = _LEAD.sub("", sentence.strip())
    if _BEGINNING.match(sentence) and not sentence.rstrip("*_ ").endswith("?"):
        return True
    return bool(_ANYWHERE.search(sentence))


def hard_sentences(text):
    return [sentence for sentence in sentences(text) if is_hard(sentence)]
