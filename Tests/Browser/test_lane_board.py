"""What decides about blocks on lanes, stepped in a browser without lanes on a page or a room."""

import unittest

from case import BrowserCase

# Four lanes of eight slots; what is asked of the room is logged.
STAGE = """
  const { LaneBoard } = await import("/lane-board.js");
  const { BlockCarry } = await import("/block-carry.js");
  const { LaneFocus } = await import("/lane-focus.js");
  const log = [];
  const take = () => log.splice(0);
  const room = { set: (...all) => log.push(`set ${all.join(" ")}`), send: (...all) => log.push(all.join(" ")) };
  const board = new LaneBoard({ lanes: 4, slots: 8, room });
  const nowhere = { lane: 0, slot: 0 };
  const shown = (lane) => board.slotsOf(lane).filter((slot) => board.isShown(slot)).map((slot) => slot.slot).join("");
  const lanesShown = () => [1, 2, 3, 4].filter((lane) => board.isLaneShown(lane)).join("");
"""

FIT = """async () => {""" + STAGE + """
  for (const lane of [1, 2, 3, 4]) board.fit(lane, nowhere);
  const found = { empty: [shown(1), lanesShown(), board.firstFree === board.at(1, 1)] };
  board.take(2, "4", "drop");
  board.fit(2, nowhere);
  found.used = [shown(1), shown(2), lanesShown()];
  board.take(2, "8", "end");
  board.fit(2, nowhere);
  found.full = shown(2);
  // Whoever takes the last block away stands on its slot: slot and lane stay until the keys are elsewhere.
  board.take(2, "8", "");
  board.take(2, "4", "");
  board.fit(2, { lane: 2, slot: 8 });
  found.held = [shown(2), lanesShown()];
  board.fit(2, nowhere);
  found.left = [shown(2), lanesShown()];
  for (const slot of ["1", "2", "3"]) board.take(1, slot, "a");
  board.fit(1, nowhere);
  found.free = board.firstFree;
  return found;
}"""

PUT = """async () => {""" + STAGE + """
  board.take(1, "2", "there");
  board.put("new", board.at(3, 1), null);
  board.put("mine", board.at(1, 1), board.at(1, 1));
  board.put("mine", board.at(1, 3), board.at(1, 1));
  board.put("mine", board.at(1, 2), board.at(1, 1));
  board.put("mine", board.at(4, 8), board.at(1, 1));
  board.takeOff(board.at(1, 2));
  return take();
}"""

KEYS = """async () => {""" + STAGE + """
  const carry = new BlockCarry(board);
  for (const lane of [1, 2, 3, 4]) board.fit(lane, nowhere);
  board.take(1, "1", "intro");
  const at = (lane, slot) => board.at(lane, slot);
  const found = {
    right: carry.press("ArrowRight", at(1, 1)), end: carry.press("ArrowRight", at(1, 4)), top: carry.press("ArrowUp", at(1, 1)),
    other: carry.press("x", at(1, 1)), escape: carry.press("Escape", at(1, 1)), take: carry.press("Enter", at(1, 1)),
    empty: carry.press("Enter", at(1, 2)), focus: carry.press("F", at(1, 1)), hear: carry.press(" ", at(1, 1)), off: carry.press("Delete", at(1, 1)),
  };
  found.first = carry.take("drop", null);
  found.own = carry.take("intro", at(1, 1)) === at(1, 1);
  found.put = carry.press("Enter", at(1, 3));
  found.free = carry.isCarrying;
  carry.take("drop", null);
  found.letBe = [carry.press("Escape", at(1, 3)), carry.isCarrying];
  return found;
}"""

FOCUS = """async () => {""" + STAGE + """
  let [now, timers, hears, carried] = [0, [], false, true];
  const focus = new LaneFocus({
    board, room,
    sound: { hears: () => hears, want: async (cue, on) => (log.push(`want ${cue} ${on}`), carried) },
    clock: { after: (wait, act) => (timers = [{ at: now + wait, act }])[0], forget: (timer) => { timers = timers.filter((other) => other !== timer); } },
    told: { changed: (slot) => log.push(`changed ${slot ? `${slot.lane} ${slot.slot}` : "none"}`), silent: () => log.push("silent") },
  });
  const go = (until) => { now = until; const due = timers.filter((timer) => timer.at <= now); timers = []; for (const timer of due) timer.act(); };
  const slot = board.at(2, 3);
  await focus.toggle(slot);
  const found = { silent: take() };
  hears = true;
  carried = false;
  await focus.toggle(slot);
  found.refused = take();
  carried = true;
  await focus.toggle(slot);
  found.begins = take();
  board.take(2, "focused", 3);
  focus.look();
  found.told = take();
  // It moves: its end is told first, and the cue stays.
  board.take(2, "focused", 0);
  focus.look();
  board.take(3, "focused", 1);
  focus.look();
  go(60);
  found.moved = take();
  board.take(3, "focused", 0);
  focus.look();
  go(120);
  found.over = take();
  board.take(3, "focused", 1);
  focus.end();
  found.ends = take();
  return found;
}"""


class LaneBoardTests(BrowserCase):
    def test_unused_slots_and_lanes_wait_out_of_sight(self):
        found = self.open().evaluate(FIT)
        self.assertEqual(found["empty"], ["1234", "1", True])
        self.assertEqual(found["used"], ["1234", "123456", "123"])
        self.assertEqual(found["full"], "12345678")
        self.assertEqual(found["held"], ["12348", "12"])
        self.assertEqual(found["left"], ["1234", "1"])
        self.assertEqual(found["free"], {"lane": 1, "slot": 4})

    def test_a_block_goes_on_a_lane_along_it_and_to_another(self):
        self.assertEqual(self.open().evaluate(PUT), [
            "set /lane/3/1 new", "/lane/1/move 1 3", "/lane/1/swap 1 2", "/lane/1/move 1 8 4", "set /lane/1/2 "])

    def test_keys_carry_blocks(self):
        found = self.open().evaluate(KEYS)
        self.assertEqual(found["right"], {"act": "go", "to": {"lane": 1, "slot": 2}})
        self.assertEqual(found["end"], {"act": "go", "to": None})
        self.assertEqual(found["top"], {"act": "go", "to": None})
        self.assertIsNone(found["other"])
        self.assertEqual(found["escape"], {"act": "pass"})
        self.assertEqual(found["take"], {"act": "take", "name": "intro"})
        self.assertEqual(found["empty"], {"act": "nothing"})
        self.assertEqual([found[key]["act"] for key in ["focus", "hear", "off"]], ["focus", "hear", "take off"])
        self.assertEqual(found["first"], {"lane": 1, "slot": 2})
        self.assertTrue(found["own"])
        self.assertEqual(found["put"], {"act": "put", "name": "intro", "from": {"lane": 1, "slot": 1}})
        self.assertFalse(found["free"])
        self.assertEqual(found["letBe"], [{"act": "let be"}, False])

    def test_a_cue_goes_back_once_its_focus_is_over(self):
        found = self.open().evaluate(FOCUS)
        self.assertEqual(found["silent"], ["silent"])
        self.assertEqual(found["refused"], ["want focus true"])
        self.assertEqual(found["begins"], ["want focus true", "/lane/2/focus 3"])
        self.assertEqual(found["told"], ["changed 2 3"])
        self.assertEqual(found["moved"], ["changed none", "changed 3 1"])
        self.assertEqual(found["over"], ["changed none", "want focus false"])
        self.assertEqual(found["ends"], ["/lane/3/focus 0", "want focus false"])


if __name__ == "__main__":
    unittest.main()
