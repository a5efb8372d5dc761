internal import JamCore

/// One sound that several begin on one frame adds up as several sounds do: by power, not by amplitude.
///
/// Eight kicks that are one another's copies would be 18 dB above one, and no mix has so much room.
/// Each is turned down alike, and nothing is behind time.
///
/// It is a part of the leveller, and off with it. Real-time safe.
extension VoicePool {
  /// A voice that begins in the coming block.
  struct Begun: BitwiseCopyable {
    var slot: Int32
    /// How loud it would be alone, on either side.
    var left: Float
    var right: Float
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

  /// Turns the voice that was begun last and its copies on the same frame down to their sum of powers.
  /// - Parameter channel: how loud its bus is heard, on either side.
  @_noLocks mutating func joinUnison(_ slot: Int, channel: PanGains) {
    let level = voices[slot].pad.now
    var own = Begun(
      slot: Int32(slot), left: voices[slot].gain.left * level * channel.left,
      right: voices[slot].gain.right * level * channel.right)
    guard own.left + own.right > 0, begunCount < VoicePool.mostBegun else { return }
    var (left, right) = (Double(own.left), Double(own.right))
    var powers = left * left + right * right
    var isAlone = true
    var i = 0
    while i < begunCount {
      if isUnison(Int(begun[i].slot), slot) {
        let other = (left: Double(begun[i].left), right: Double(begun[i].right))
        left += other.left
        right += other.right
        powers += other.left * other.left + other.right * other.right
        isAlone = false
      }
      i &+= 1
    }
    if !isAlone {
      // What lies on one side adds nothing to the other.
      own.share = Float(Signal.root(powers / (left * left + right * right)))
      i = 0
      while i < begunCount {
        if isUnison(Int(begun[i].slot), slot) {
          voices[Int(begun[i].slot)].scale(by: own.share / begun[i].share)
          begun[i].share = own.share
        }
        i &+= 1
      }
      voices[slot].scale(by: own.share)
    }
    begun[begunCount] = own
    begunCount &+= 1
  }

  /// The same frames of the same sound, at the same rate, from the same frame on.
  @_noLocks private func isUnison(_ one: Int, _ other: Int) -> Bool {
    voices[one].onset == voices[other].onset && voices[one].leftMemory == voices[other].leftMemory
      && voices[one].phase == voices[other].phase && voices[one].increment == voices[other].increment
      && voices[one].isLooped == voices[other].isLooped
  }

  /// The slot's voice ended before it began.
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
