internal import JamCore

/// Chooses the note that ends when there is no room. It is a note of the full bus, or, in a full
/// room, of the bus that holds most: the oldest released note, or else the oldest note.
extension SynthPool {
  @_noLocks mutating func makeRoom(bus: Int, at offset: Int32) {
    if Int(sounding[bus]) >= SynthPool.voicesPerBus { steal(fromBus: bus, at: offset) }
    if soundingCount >= voicesPerRoom {
      steal(fromBus: VoicePool.fullestBus(of: sounding, count: busCount), at: offset)
    }
  }

  @_noLocks private mutating func steal(fromBus bus: Int, at offset: Int32) {
    var victim = -1
    var slot = Int(buses[bus].first)
    while slot >= 0 {
      if !voices[slot].isLeaving {
        if voices[slot].isReleased {
          victim = slot
          break
        }
        if victim < 0 { victim = slot }
      }
      slot = Int(voices[slot].next)
    }
    guard victim >= 0 else { return }
    leave(victim, Fade.note, at: offset)
    stolenCount += 1
  }
}
