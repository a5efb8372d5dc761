internal import JamCore

/// Bending the note of a key that plays a sample. Real-time safe.
extension Voice {
  /// In each block the bend goes this share of the way to its target. The last tenth of a cent is
  /// done at once.
  private static var pace: Float { @_noLocks get { 0.35 } }
  private static var nearest: Float { @_noLocks get { 0.001 } }

  /// Advances by one block towards the key's bend and `busBend`, in semitones.
  /// - Returns: whether the bend was moving.
  @_noLocks mutating func glideBend(_ busBend: Float) -> Bool {
    let way = keyBend + busBend - bend
    guard way != 0 else { return false }
    bend = way < Voice.nearest && way > -Voice.nearest ? keyBend + busBend : bend + way * Voice.pace
    bendRatio = Voice.ratio(semitones: bend)
    return true
  }

  /// A bend of 0 gives exactly 1.
  @_noLocks static func ratio(semitones: Float) -> Float {
    semitones == 0 ? 1 : Float(SynthMath.powerOfTwo(Double(semitones) / 12))
  }
}

extension VoicePool {
  /// Call after `gather`: moves the bends of keys' notes towards their targets.
  @_noLocks mutating func glideBends() {
    var bus = 0
    while bus < busCount {
      var slot = active[bus] > 0 ? lists[VoicePool.keys(of: bus)].first : -1
      while slot >= 0 {
        if voices[Int(slot)].glideBend(bends[bus]) { voices[Int(slot)].retune(pitch, now: blockFrame) }
        slot = voices[Int(slot)].next
      }
      bus &+= 1
    }
  }

  /// Bends all of the bus's keys, also those that come later.
  @_noLocks mutating func setBend(_ semitones: Float, bus: Int) {
    guard bus >= 0, bus < busCount else { return }
    bends[bus] = SynthMath.bounded(semitones, -96, 96)
  }

  /// Bends the sounding note of one key.
  @_noLocks mutating func setBend(_ semitones: Float, bus: Int, padIndex: Int) {
    guard bus >= 0, bus < busCount, padIndex >= Pad.count else { return }
    var slot = lists[VoicePool.keys(of: bus)].first
    while slot >= 0 {
      if isOf(padIndex, Int(slot)), !voices[Int(slot)].isReleased, !voices[Int(slot)].isLeaving {
        voices[Int(slot)].keyBend = SynthMath.bounded(semitones, -96, 96)
      }
      slot = voices[Int(slot)].next
    }
  }

  /// The list of the bus's keys.
  @_noLocks @inline(__always) private static func keys(of bus: Int) -> Int { list(bus: bus, padIndex: Pad.count) }
}
