/// Two planes at the forge's rate.
struct StereoBuffer {
  var left: [Double]
  var right: [Double]

  init(count: Int) {
    left = Array(repeating: 0, count: count)
    right = left
  }

  var count: Int { left.count }

  /// Changes every frame of both sides; each side has its own state.
  mutating func process(_ frame: (inout Double, inout Double, Int) -> Void) {
    for n in 0..<count { frame(&left[n], &right[n], n) }
  }
}
