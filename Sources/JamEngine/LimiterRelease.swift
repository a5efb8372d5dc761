internal import JamCore

/// How a limiter's gain comes back once nothing asks for it any more.
///
/// 1. The smallest need of the last 22 ms counts. Half a wave of 23 Hz is shorter, so between two peaks of a bass tone the gain stays
///    where it is, and the tone keeps its shape.
/// 2. Then the gain comes back within some 40 ms, but only up to what the music needed over the last second: an accident is over at
///    once, while a mix that is too loud all the time is not pumped up between its hits.
///
/// Real-time safe but for `init` and `deinit`.
struct LimiterRelease: ~Copyable {
  /// Blocks for which a need is held.
  private static var blocks: Int { @_noLocks get { 10 } }
  /// The share of the missing gain that comes back with each frame: 37.5 ms.
  private static var recovery: Float { @_noLocks get { 1.0 / 1_800 } }
  /// The share by which `sustained` nears a larger reduction with each block: half a second.
  private static var settling: Float { @_noLocks get { 0.005 } }
  /// What `sustained` loses with each block where less is needed: a third of full scale in a second.
  private static var letting: Float { @_noLocks get { 0.000_8 } }

  /// The smallest needs of the last blocks, in turn.
  private let smallest: UnsafeMutablePointer<Float>
  private var place = 0
  /// 1 − gain: now, and what the music needed of late.
  private var reduction: Float = 0
  private var sustained: Float = 0

  init() {
    smallest = .allocate(capacity: Self.blocks)
    smallest.initialize(repeating: 1, count: Self.blocks)
  }

  deinit { smallest.deallocate() }

  @_noLocks mutating func follow(_ other: borrowing LimiterRelease) {
    var i = 0
    while i < Self.blocks {
      smallest[i] = other.smallest[i]
      i &+= 1
    }
    place = other.place
    reduction = other.reduction
    sustained = other.sustained
  }

  /// - Parameters:
  ///   - needs: the gain that each of the coming block's frames needs, 1 or below.
  ///   - reductions: gets 1 − gain for each frame.
  /// - Returns: whether any frame is reduced, or a need is still held.
  @_noLocks mutating func recover(
    needs: UnsafeMutablePointer<Float>, to reductions: UnsafeMutablePointer<Float>, frames: Int
  ) -> Bool {
    var least = held
    var own: Float = 1
    var isReduced = false
    var i = 0
    while i < frames {
      own = Swift.min(own, needs[i])
      least = Swift.min(least, needs[i])
      let wanted = 1 - least
      if wanted >= reduction {
        reduction = wanted
      } else {
        let target = Swift.max(wanted, Swift.min(reduction, sustained))
        reduction -= (reduction - target) * Self.recovery
        if target == 0 && reduction < 0.000_1 { reduction = 0 }
      }
      reductions[i] = reduction
      if reduction > 0 { isReduced = true }
      i &+= 1
    }
    smallest[place] = own
    place = place + 1 < Self.blocks ? place + 1 : 0
    settle(1 - least)
    return isReduced || sustained > 0 || held < 1
  }

  private var held: Float {
    @_noLocks get {
      var least: Float = 1
      var i = 0
      while i < Self.blocks {
        least = Swift.min(least, smallest[i])
        i &+= 1
      }
      return least
    }
  }

  @_noLocks private mutating func settle(_ reduction: Float) {
    if reduction > sustained {
      sustained += (reduction - sustained) * Self.settling
    } else {
      sustained = Swift.max(reduction, sustained - Self.letting)
    }
  }
}
