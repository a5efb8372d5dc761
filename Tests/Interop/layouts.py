"""Layouts as the controller apps use them: what a control sends for each value, and what it shows of what comes."""

import dataclasses
import json
import re
import zlib

import py2tosc
from py2tosc.messages import OscMessage

SHARES = (0.0, 0.5, 1.0)


@dataclasses.dataclass
class Control:
    """One control: what it sends, in the order least, middle, largest value, and where it hears."""
    name: str
    # Pairs of an address and a list of argument tuples.
    sends: list
    # The addresses at which it takes values in, each with the numbers that are its ends; None is a text.
    hears: dict


def touchosc(data, port):
    """The controls of a .tosc file. The device asks for feedback at `port`, where the file has TouchOSC's."""
    document = py2tosc.loads(zlib.decompress(data))
    return [each for each in (_of_node(node, port) for node in document.walk()) if each.sends or each.hears]


def _of_node(node, port):
    control = Control(node.get("name") or "", [], {})
    for message in node.messages:
        if not isinstance(message, OscMessage):
            continue
        address = "".join(part.value for part in message.path).replace("/subscribe/9000", f"/subscribe/{port}")
        parts = message.arguments
        if message.send:
            is_fixed = all(str(part.type) == "CONSTANT" for part in parts)
            # A button and a touch have no value between on and off.
            is_fader = str(node.control_type) == "FADER" and all(part.value != "touch" for part in parts)
            shares = SHARES[:1] if is_fixed else SHARES if is_fader else SHARES[::2]
            control.sends.append((address, [tuple(_value(part, share) for part in parts) for share in shares]))
        if message.receive:
            part, = parts
            control.hears[address] = None if part.value == "text" else (part.scale_min, part.scale_max)
    return control


def _value(part, share):
    value = part.value
    if str(part.type) == "VALUE":
        value = part.scale_min + share * (part.scale_max - part.scale_min)
    return {"STRING": str, "INTEGER": lambda v: int(round(float(v))), "FLOAT": float}[str(part.conversion)](value)


def open_stage_control(data):
    """The controls of a session, as the documentation of Open Stage Control says what its widgets do."""
    session = json.loads(data)
    return [_of_widget(widget) for tab in session["content"]["tabs"] for widget in tab["widgets"] if "address" in widget]


def _of_widget(widget):
    control = Control(widget["id"], [], {})
    address, kind = widget["address"], widget["type"]
    ends = widget.get("range", {"min": 0, "max": 1})
    if widget["bypass"] or kind == "fader" and "spring" not in widget or widget.get("mode") == "toggle":
        control.hears[address] = None if kind == "text" else (ends["min"], ends["max"])
    if widget["bypass"]:
        return control
    if widget.get("mode") == "momentary":
        control.sends.append((address, [_as_floats(widget["preArgs"])]))
    elif kind == "button":
        # It sends no value between these two.
        control.sends.append((address, [(float(widget["off"]),), (float(widget["on"]),)]))
    else:
        values = [ends["min"] + share * (ends["max"] - ends["min"]) for share in SHARES]
        control.sends.append((address, [(float(round(v) if widget["decimals"] == 0 else v),) for v in values]))
    for script in (widget.get("onValue", ""), widget.get("onTouch", "")):
        for words in re.findall(r"send\((.*?)\)(?:;|$)", script):
            address, *values = json.loads(f"[{words.split(', event.type', 1)[0]}]")
            control.sends.append((address, [(0.0,), (1.0,)] if "event.type" in words else [_as_floats(values)]))
    return control


def _as_floats(values):
    """Open Stage Control sends every number as a float."""
    return tuple(value if isinstance(value, str) else float(value) for value in values)
