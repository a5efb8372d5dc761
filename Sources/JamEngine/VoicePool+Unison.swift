internal import JamCore

/// Copies of one sound that begin on one frame add up as different sounds do: by power, not by
/// amplitude.
///
/// Eight copies of a kick would be 18 dB above one, and no mix has so much room. All copies are
/// turned down alike, and none is delayed.
///
/// This belongs to the leveller, and is off with it. Real-time safe.
extension VoicePool {
  /// A voice that begins in the coming block.
  struct Begun: BitwiseCopyable {
    var slot: Int32
    /// The loudness on either side that it would have alone.
    var left: Float
    var right: Float
    /// The factor that its gain was multiplied by since.
    var share: Float = 1
  }

  /// The number of voices of a block that are compared. Further voices add up as they are.
  static var mostBegun: Int { @_noLocks get { 64 } }

  /// Prepares for the block that begins on `frame`.
  @_noLocks mutating func prepare(_ frame: Int64) {
    blockFrame = frame
    begunCount = 0
  }

  /// Turns down the voice that was begun last and its copies on the same frame, to the sum of their
  /// powers.
  /// - Parameter channel: the gains at which its bus is heard.
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
      // Left and right are summed separately, because a sound on one side adds nothing to the
      // other.
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

  /// Whether both voices play the same frames of the same sound, at the same rate, from the same
  /// frame on.
  @_noLocks private func isUnison(_ one: Int, _ other: Int) -> Bool {
    voices[one].onset == voices[other].onset && voices[one].leftMemory == voices[other].leftMemory
      && voices[one].phase == voices[other].phase && voices[one].increment == voices[other].increment
      && voices[one].isLooped == voices[other].isLooped
  }

  /// Forgets the slot's voice, because it ended before it began.
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
  /// Multiplies the gain of a voice before its first frame.
  @_noLocks fileprivate mutating func scale(by factor: Float) {
    gain = PanGains(left: gain.left * factor, right: gain.right * factor)
    panTarget = gain
  }
}
