/// A sound on its way from a file to memory: interleaved floats, nominally ±1, at any rate.
struct Sound: Sendable {
  var interleaved: [Float]
  /// 1 or 2.
  var channels: Int
  /// Frames per second.
  var rate: Int

  var frames: Int { interleaved.count / channels }
}
