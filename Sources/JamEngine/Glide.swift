internal import JamCore

/// A value that goes to each new one in a straight line, block by block.
///
/// Real-time safe.
struct Glide: BitwiseCopyable {
  private(set) var now: Float
  private var target: Float
  private var step: Float = 0
  private var framesLeft = 0

  @_noLocks init(_ value: Float) {
    now = value
    target = value
  }

  var isMoving: Bool { @_noLocks get { framesLeft > 0 } }

  @_noLocks mutating func go(to value: Float, frames: Int) {
    target = value
    framesLeft = frames
    step = (value - now) / Float(frames)
  }

  @_noLocks mutating func arrive() {
    now = target
    framesLeft = 0
  }

  /// Advances by one block.
  /// - Returns: the step of each frame on the way.
  @_noLocks mutating func advance(_ frames: Int) -> Float {
    guard framesLeft > 0 else { return 0 }
    let start = now
    framesLeft -= frames
    if framesLeft <= 0 { arrive() } else { now += step * Float(frames) }
    return (now - start) / Float(frames)
  }
}
