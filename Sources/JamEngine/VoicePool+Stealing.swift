internal import JamCore

/// Chooses the voices that end when there is no room: first the pad's oldest beyond its own number
/// of voices, then the bus's oldest, then the oldest of the bus that holds most. If several voices
/// began on the same frame, the quietest ends.
extension VoicePool {
  @_noLocks mutating func makeRoom(for start: VoiceStart, at offset: Int32) {
    let bus = Int(start.bus.index)
    let list = VoicePool.list(bus: bus, padIndex: start.pad.index)
    let padLimit = Int32(start.voices < 1 ? 1 : start.voices > 8 ? 8 : start.voices)
    // A key has only the one voice that it is pressed for.
    if start.pad.isKey { leaveKey(start.pad.index, list, at: offset) }
    while !start.pad.isKey && lists[list].sounding >= padLimit {
      let oldest = oldestSounding(list)
      leave(oldest, Fade.steal, at: offset)
      stolenCount += 1
    }
    if Int(sounding[bus]) >= voicesPerBus { steal(fromBus: bus, at: offset) }
    if soundingCount >= voicesPerRoom {
      steal(fromBus: VoicePool.fullestBus(of: sounding, count: busCount), at: offset)
    }
  }

  @_noLocks private mutating func leaveKey(_ padIndex: Int, _ list: Int, at offset: Int32) {
    var slot = lists[list].first
    while slot >= 0 {
      // Ending the voice may give its slot back at once, so the next slot is read before.
      let next = voices[Int(slot)].next
      if Int(voices[Int(slot)].padIndex) == padIndex { leave(Int(slot), Fade.note, at: offset) }
      slot = next
    }
  }

  /// Ends the voices of the start's group on the bus's other pads.
  @_noLocks mutating func choke(_ start: VoiceStart, at offset: Int32) {
    let bus = Int(start.bus.index)
    guard sounding[bus] > 0 else { return }
    var pad = 0
    while pad < Pad.count {
      let list = VoicePool.list(bus: bus, padIndex: pad)
      if pad != start.pad.index && lists[list].sounding > 0 {
        var slot = lists[list].first
        while slot >= 0 {
          if voices[Int(slot)].choke == start.choke { leave(Int(slot), Fade.steal, at: offset) }
          slot = voices[Int(slot)].next
        }
      }
      pad += 1
    }
  }

  @_noLocks private mutating func steal(fromBus bus: Int, at offset: Int32) {
    var victim = -1
    var pad = 0
    while pad < VoicePool.listsPerBus {
      let list = bus * VoicePool.listsPerBus + pad
      if lists[list].sounding > 0 {
        let candidate = oldestSounding(list)
        if victim < 0 || goesBefore(candidate, victim) { victim = candidate }
      }
      pad += 1
    }
    guard victim >= 0 else { return }
    leave(victim, Fade.steal, at: offset)
    stolenCount += 1
  }

  @_noLocks private func oldestSounding(_ list: Int) -> Int {
    var slot = Int(lists[list].first)
    while voices[slot].isLeaving { slot = Int(voices[slot].next) }
    return slot
  }

  @_noLocks private func goesBefore(_ a: Int, _ b: Int) -> Bool {
    voices[a].onset == voices[b].onset ? loudness(a) < loudness(b) : voices[a].onset < voices[b].onset
  }

  @_noLocks private func loudness(_ slot: Int) -> Float {
    Swift.max(voices[slot].gain.left, voices[slot].gain.right)
  }

  /// The bus with the most sounding voices, the first of several; `sounding` has `count` entries.
  @_noLocks static func fullestBus(of sounding: UnsafeMutablePointer<Int32>, count: Int) -> Int {
    var fullest = 0
    var bus = 1
    while bus < count {
      if sounding[bus] > sounding[fullest] { fullest = bus }
      bus += 1
    }
    return fullest
  }
}
