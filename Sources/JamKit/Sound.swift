/// A sound on its way from a file to memory or back: interleaved floats, nominally ±1, at any rate.
struct Sound: Equatable, Sendable {
  var interleaved: [Float]
  /// 1 or 2.
  var channels: Int
  /// Frames per second.
  var rate: Int
  /// What its source had to offer.
  var depth = Depth.sixteen

  /// Whole bits of a stored value.
  enum Depth: Int, Sendable {
    case sixteen = 16
    case twentyFour = 24
  }

  var frames: Int { interleaved.count / channels }
  var peak: Float { interleaved.reduce(0) { max($0, abs($1)) } }
}
