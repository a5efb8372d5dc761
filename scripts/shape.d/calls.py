"""Which functions and computed properties of a module call which others, worked out from the text.

Types are followed from name to name: parameters, constants, properties, results, elements. A call whose receiver's type
stays unknown is left out. Closures' own parameters are unknown, and so are types of other modules.
"""

import collections
import re

import lexing
import swift

_NAME = re.compile(r"(?<![\w.$`\\])[A-Za-z_]\w*(?![\w:])")
_DECLARES = re.compile(r"(\b(?:if|guard|while)\s+)?\b(?:let|var|for)\s+$")
_GIVES = re.compile(r"\b(let|var|for)\s+(\w+)\s*(?:=|\bin\b)\s*(?:try[?!]?\s+)?$")


class Node:
    """A function or a property with accessors. `kind` is the type of its result, where the text says that."""

    def __init__(self, owner, what):
        self.owner, self.what, self.kinds = owner, what, {}
        if isinstance(what, swift.Property):
            self.body, self.kind = what.accessors, swift.type_of(what.declared)
            return
        self.body, self.kind = what.body, None
        opening = what.header.find("(")
        closing = lexing.closing(what.header, opening)
        if result := re.match(r"[^>]*->\s*([\w.\[\]: ?]+)$", what.header[closing + 1:].split(" where ")[0]):
            self.kind = swift.bare(result[1])
        for part in lexing.parts(what.header[opening + 1:closing]):
            names, _, kind = part.partition(":")
            self.kinds[names.split()[-1]] = swift.bare(kind.split("=")[0])


class Calls:
    def __init__(self, sources):
        self.functions, self.properties = collections.defaultdict(list), {}
        for source in sources:
            for owner in [None, *source.types]:
                name = owner and owner.name.rpartition(".")[2]
                for what in (owner or source).functions:
                    self.functions[what.name].append(Node(name, what))
                for what in owner.properties if owner else []:
                    self.properties[name, what.name] = Node(name, what)
        self.types = {owner for owner, _ in self.properties}

    def reached(self, owner, title):
        """The function itself, what it calls, and what that calls in turn; nothing where there is no such function."""
        waiting = [node for nodes in self.functions.values() for node in nodes
                   if node.owner == owner and node.what.title == title]
        found = {}
        while waiting:
            node = waiting.pop()
            if id(node) not in found:
                found[id(node)] = node
                waiting += self.callees(node)
        return [node.what for node in found.values()]

    def callees(self, node):
        kinds, found = dict(node.kinds), []
        for match in _NAME.finditer(node.body or ""):
            before = node.body[max(0, match.start() - 100):match.start()]
            if new := _DECLARES.search(before):
                # `if let pass {` is of the type of the property that it looks into.
                if not new[1] or node.body[match.end():].startswith(" ="):
                    kinds[match[0]] = None
                continue
            kind = self._chain(node, kinds, match, found)
            if given := _GIVES.search(before):
                kinds[given[2]] = swift.element(kind) if given[1] == "for" else kind
        return found

    def _chain(self, node, kinds, match, found):
        """Follows `a.b(c)[d].e` and notes what it calls. Returns the type at its end, or None."""
        body, word, place, kind, is_first = node.body, match[0], match.end(), node.owner, True
        while True:
            if body[place:place + 1] == "(":
                end = lexing.closing(body, place)
                given = lexing.parts(body[place + 1:end])
                kind = self._call(node, kind, word, given, body[end + 1:end + 3].strip() == "{", is_first, found)
                place = end + 1
            elif is_first and (word in ("self", "Self") or word in kinds or word in self.types):
                kind = node.owner if word in ("self", "Self") else kinds.get(word, word)
            elif property := self.properties.get((kind, word)):
                kind = property.kind
                if property.body:
                    found.append(property)
            else:
                kind = None
            while index := re.compile(r"[?!]?\[|[?!](?=\.)").match(body, place):
                place = index.end()
                if index[0].endswith("["):
                    place = lexing.closing(body, place - 1) + 1
                    kind = swift.element(kind) or self._pick(found, [
                        each for each in self.functions["subscript"] if each.owner == kind])
            following = re.compile(r"\s*\.(\w+)").match(body, place)
            if not following:
                return kind
            word, place, is_first = following[1], following.end(), False

    def _call(self, node, owner, word, given, has_closure, is_first, found):
        if is_first and word in self.types:
            self._call(node, word, "init", given, has_closure, False, found)
            return word
        labels = [(re.match(r"\s*(\w+)\s*:(?!:)", part) or (0, ""))[1] for part in given]
        return self._pick(found, [
            each for each in self.functions[word]
            if (each.owner == owner or is_first and not each.owner) and fits(labels, each.what.labels, has_closure)
            and (each.what.file == node.what.file or "private" not in each.what.modifiers)])

    @staticmethod
    def _pick(found, meant):
        found += meant
        return meant[0].kind if meant else None


def fits(labels, wanted, has_closure):
    """Whether a call with these labels can mean a function with those; a closure behind it stands for one of them."""
    place, closures = 0, int(has_closure)
    for label, may_lack in wanted:
        if place < len(labels) and labels[place] == label:
            place += 1
        elif not may_lack:
            closures -= 1
            if closures < 0:
                return False
    return place == len(labels)
