internal import JamCore

/// A sound's own filter: each of its frames as a weighted sum of those before, fitted by Burg's
/// method, whose filters are stable.
///
/// Thread: any. Not real-time safe.
struct LinearPrediction {
  /// The frames that one frame depends on: enough for the tones of a mix. A fit of two channels
  /// takes about a millisecond of a PC, and some of a small ARM.
  static let order = 256
  /// The frames that it is fitted to: 80 ms.
  static let memory = 3_840

  /// The weights, of the nearest frame first; zeros for silence. With the rounding of single
  /// precision so long a filter grows.
  private var weights = [Double](repeating: 0, count: order)

  /// - Parameter sound: `memory` frames of one channel.
  init(of sound: [Float]) {
    guard sound.count > LinearPrediction.order else { return }
    // The errors of a forward and of a backward prediction, both shorter by a frame in each step.
    var forward = Array(sound.dropFirst())
    var backward = Array(sound.dropLast())
    var mirrored = weights
    for step in 0..<LinearPrediction.order {
      let count = sound.count - 1 - step
      let reflection = forward.withUnsafeMutableBufferPointer { forward in
        backward.withUnsafeMutableBufferPointer { backward in
          LinearPrediction.step(
            UnsafeMutableBufferPointer(rebasing: forward[step...]),
            UnsafeMutableBufferPointer(rebasing: backward[..<count]))
        }
      }
      guard let reflection else { return }
      for place in 0..<step { mirrored[place] = weights[step - 1 - place] }
      for place in 0..<step { weights[place] += Double(reflection) * mirrored[place] }
      weights[step] = Double(reflection)
    }
  }

  /// Takes one step of Burg's recursion, in place.
  /// - Returns: its reflection coefficient; nil where nothing is left to predict.
  private static func step(
    _ forward: UnsafeMutableBufferPointer<Float>, _ backward: UnsafeMutableBufferPointer<Float>
  ) -> Float? {
    typealias Lane = SIMD8<Float>
    let whole = forward.count / Lane.scalarCount * Lane.scalarCount
    let f = UnsafeMutableRawPointer(forward.baseAddress!)
    let b = UnsafeMutableRawPointer(backward.baseAddress!)
    var (both, either) = (Lane.zero, Lane.zero)
    for at in stride(from: 0, to: whole * 4, by: 32) {
      let x = f.loadUnaligned(fromByteOffset: at, as: Lane.self)
      let y = b.loadUnaligned(fromByteOffset: at, as: Lane.self)
      both += x * y
      either += x * x + y * y
    }
    var (product, energy) = (both.sum(), either.sum())
    for at in Range(from: whole, to: forward.count) {
      product += forward[at] * backward[at]
      energy += forward[at] * forward[at] + backward[at] * backward[at]
    }
    // −200 dB for each frame: below that nothing is left.
    guard energy > 1e-20 * Float(forward.count) else { return nil }
    // A hair inside the circle, so that rounding makes no filter that grows.
    let reflection = -2 * product / energy * 0.99999
    for at in stride(from: 0, to: whole * 4, by: 32) {
      let x = f.loadUnaligned(fromByteOffset: at, as: Lane.self)
      let y = b.loadUnaligned(fromByteOffset: at, as: Lane.self)
      f.storeBytes(of: x + reflection * y, toByteOffset: at, as: Lane.self)
      b.storeBytes(of: y + reflection * x, toByteOffset: at, as: Lane.self)
    }
    for at in Range(from: whole, to: forward.count) {
      (forward[at], backward[at]) = (
        forward[at] + reflection * backward[at], backward[at] + reflection * forward[at]
      )
    }
    return reflection
  }

  /// The `count` frames that would follow `sound`, which has `order` frames or more. None is louder
  /// than the loudest of `sound`, and of full scale.
  func continued(_ sound: [Float], count: Int) -> [Float] {
    let order = LinearPrediction.order
    var frames = sound.suffix(order).map(Double.init) + [Double](repeating: 0, count: count)
    let most = Double(sound.reduce(0) { min(1, max($0, abs($1))) })
    for at in Range(from: order, to: frames.count) {
      var sum = 0.0
      for (back, weight) in weights.enumerated() { sum -= weight * frames[at - 1 - back] }
      frames[at] = sum.isFinite ? min(most, max(-most, sum)) : 0
    }
    return frames[order...].map(Float.init)
  }
}
