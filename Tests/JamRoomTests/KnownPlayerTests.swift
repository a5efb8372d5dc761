import CAllocations
import JamCore
import Testing

@testable import JamRoom

/// Every hit reads its player several times.
@Suite struct KnownPlayerTests {
  @Test("reading a player who is in the room allocates nothing", .enabled(if: jam_allocations_are_counted()))
  func reading() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    // The first access makes what the tables' types need once.
    var sum = stage.state.hands[ann].pads[0].turn + stage.state.loopers[ann].loop.layerCount
    jam_allocations_begin()
    for pad in 0..<Pad.count {
      sum += stage.state.hands[ann].pads[pad].turn
      if stage.state.loopers[ann].loop.isPlaying { sum += 1 }
    }
    let calls = jam_allocations_end()
    #expect(calls == 0)
    #expect(sum == 0)
  }

  @Test("changing a player who is in the room copies nothing", .enabled(if: jam_allocations_are_counted()))
  func changing() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.state.hands[ann].pads[0].turn = 1
    jam_allocations_begin()
    for pad in 0..<Pad.count { stage.state.hands[ann].pads[pad].turn += 1 }
    let calls = jam_allocations_end()
    // An access may take a frame of its own and give it back: two calls. A copy of the pads would be more.
    #expect(calls <= Int64(Pad.count) * 2)
    #expect(stage.state.hands[ann].pads[0].turn == 2)
  }

  @Test("a pad or a key that is read in place is as a copy of it, played or not")
  func inPlace() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.state.hands[ann][Pad(3)!].turn = 3
    stage.state.hands[ann][Pad(key: 60)!].turn = 5
    for pad in Pad.all + [Pad(key: 60)!, Pad(key: 61)!] {
      let inPlace = stage.state.hands.read(pad, of: ann) { $0 }
      #expect(inPlace == stage.state.hands[ann][pad])
    }
    let turn = stage.state.hands.read(Pad(key: 60)!, of: ann) { $0.turn }
    #expect(turn == 5)
    // Reading a key that was not played does not make it one that was.
    #expect(stage.state.hands[ann].keys.keys == [Pad(key: 60)!])
  }

  @Test("a player read in place is the one of that place, also where the roster is shared")
  func shared() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let ben = try stage.join("ben")
    let before = stage.state
    stage.state.channels[ben].gain = -6
    #expect(before.roster[ann].name.text == "ann" && before.roster[ben].name.text == "ben")
    #expect(before.channels[ben].gain == 0 && stage.state.channels[ben].gain == -6)
  }
}
