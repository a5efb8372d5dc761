internal import JamKit

/// Echoes, each duller than the last, changing sides.
struct Delay {
  private var left: [Double]
  private var right: [Double]
  private let feedback: Double
  private let smoothing: Double

  init(milliseconds: Double, feedback: Double, low: Double) {
    left = Array(repeating: 0, count: max(1, Int(milliseconds * Forge.rate / 1000)))
    right = left
    self.feedback = feedback
    let g = PortableMath.tangent(turns: min(low, Forge.rate * 0.45) / Forge.rate / 2)
    smoothing = 2 * g / (1 + 2 * g)
  }

  mutating func add(to buffer: inout StereoBuffer, gain: Double) {
    var place = 0
    var leftLow = 0.0
    var rightLow = 0.0
    for n in 0..<buffer.count {
      leftLow += (left[place] - leftLow) * smoothing
      rightLow += (right[place] - rightLow) * smoothing
      let leftIn = buffer.left[n]
      let rightIn = buffer.right[n]
      left[place] = leftIn + rightLow * feedback
      right[place] = rightIn * 0.3 + leftLow * feedback
      buffer.left[n] += leftLow * gain
      buffer.right[n] += rightLow * gain
      place = place + 1 == left.count ? 0 : place + 1
    }
  }
}
