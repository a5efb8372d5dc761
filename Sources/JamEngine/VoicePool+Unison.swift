internal import JamCore

/// One sound that several begin on one frame adds up as several sounds do, by power, and not by amplitude: eight kicks that are one
/// another's copies would be 18 dB above one, and no mix has so much room. Each is turned down alike, and nothing is behind time.
///
/// It is a part of the leveller, and off with it. Real-time safe.
extension VoicePool {
  /// A voice that begins in the coming block.
  struct Begun: BitwiseCopyable {
    var slot: Int32
    /// How loud it would be alone.
    var weight: Float
    /// What its gain was multiplied by since.
    var share: Float = 1
  }

  /// So many of a block are looked at: what more begins adds up as it is.
  static var mostBegun: Int { @_noLocks get { 64 } }

  /// The block that begins on `frame` comes next.
  @_noLocks mutating func prepare(_ frame: Int64) {
    blockFrame = frame
    begunCount = 0
  }

  /// Turns the voice that was begun last, and its copies on the same frame, down to their sum of powers.
  /// - Parameter channel: how loud its bus is heard.
  @_noLocks mutating func joinUnison(_ slot: Int, channel: Float) {
    forgetBegun(slot)
    let weight = (voices[slot].gain.left + voices[slot].gain.right) * voices[slot].pad.now * channel
    guard weight > 0, begunCount < VoicePool.mostBegun else { return }
    var sum = Double(weight)
    var powers = sum * sum
    var isAlone = true
    var i = 0
    while i < begunCount {
      if isUnison(Int(begun[i].slot), slot) {
        let other = Double(begun[i].weight)
        sum += other
        powers += other * other
        isAlone = false
      }
      i &+= 1
    }
    let share = isAlone ? 1 : Float(Signal.root(powers / (sum * sum)))
    i = 0
    while i < begunCount {
      if isUnison(Int(begun[i].slot), slot) {
        voices[Int(begun[i].slot)].scale(by: share / begun[i].share)
        begun[i].share = share
      }
      i &+= 1
    }
    voices[slot].scale(by: share)
    begun[begunCount] = Begun(slot: Int32(slot), weight: weight, share: share)
    begunCount &+= 1
  }

  /// The same frames of the same sound, at the same rate, from the same frame on.
  @_noLocks private func isUnison(_ one: Int, _ other: Int) -> Bool {
    voices[one].onset == voices[other].onset && voices[one].leftMemory == voices[other].leftMemory
      && voices[one].phase == voices[other].phase && voices[one].increment == voices[other].increment
      && voices[one].isLooped == voices[other].isLooped
  }

  /// The slot's voice ended before it began, or the slot has another one by now.
  @_noLocks mutating func forgetBegun(_ slot: Int) {
    var i = 0
    while i < begunCount {
      if Int(begun[i].slot) == slot {
        begunCount &-= 1
        begun[i] = begun[begunCount]
        return
      }
      i &+= 1
    }
  }
}

extension Voice {
  /// Before its first frame.
  @_noLocks fileprivate mutating func scale(by factor: Float) {
    gain = PanGains(left: gain.left * factor, right: gain.right * factor)
    panTarget = gain
  }
}
