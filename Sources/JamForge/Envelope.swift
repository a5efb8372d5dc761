internal import JamKit

/// A value over time: points joined by curves, level before the first and after the last.
struct Envelope: Hashable, Sendable {
  struct Point: Hashable, Sendable {
    var milliseconds: Double
    var value: Double
  }

  /// The unit of the values, which decides how the points are joined.
  enum Scale: Hashable, Sendable {
    /// Joined by a straight line.
    case plain
    /// Joined evenly in decibels, an exponential decay; renders as linear gain, 0 at -90 and below.
    case decibels
    /// Joined evenly in pitch; renders as a frequency ratio.
    case semitones
    /// Joined evenly in pitch; renders as hertz.
    case hertz
  }

  var scale: Scale
  /// At least one, in order of time.
  var points: [Point]

  init(_ scale: Scale, _ points: [Point]) {
    self.scale = scale
    self.points = points
  }

  init(_ scale: Scale, constant value: Double) {
    self.init(scale, [Point(milliseconds: 0, value: value)])
  }

  var isConstant: Bool { points.count == 1 }

  /// The time at which a level falls silent for good; nil where it holds its last value.
  var audibleEnd: Double? {
    guard scale == .decibels, let last = points.last, last.value <= -45 else { return nil }
    return last.milliseconds
  }

  /// The envelope, faster or slower, and with every value multiplied.
  func scaled(time: Double = 1, value: Double = 1) -> Envelope {
    Envelope(scale, points.map { Point(milliseconds: $0.milliseconds * time, value: $0.value * value) })
  }

  /// `count` values at the forge's rate.
  func render(count: Int) -> [Double] {
    var values: [Double] = []
    values.reserveCapacity(count)
    var start = rendered(points[0].value)
    for (index, point) in points.enumerated() {
      let end = rendered(point.value)
      let frame = min(count, max(values.count, Int(point.milliseconds * Forge.rate / 1000)))
      let length = frame - values.count
      if length > 0 {
        if index == 0 { start = end }
        appendSegment(from: start, to: end, length: length, to: &values)
      }
      start = end
    }
    while values.count < count { values.append(start) }
    return values
  }

  private func appendSegment(from start: Double, to end: Double, length: Int, to values: inout [Double]) {
    if scale == .plain || start == end {
      let step = (end - start) / Double(length)
      for n in 0..<length { values.append(start + step * Double(n)) }
    } else {
      // Silence has no logarithm: -90 dB stands in for it.
      var value = max(start, Self.floor)
      let octaves = PortableMath.logarithm(max(end, Self.floor) / value)
      let step = PortableMath.ratio(semitones: octaves / Double(length) * 12)
      for _ in 0..<length {
        values.append(value)
        value *= step
      }
    }
  }

  private static let floor = 3.162e-5

  private func rendered(_ value: Double) -> Double {
    switch scale {
    case .plain, .hertz: value
    case .decibels: value <= -90 ? 0 : PortableMath.gain(value)
    case .semitones: PortableMath.ratio(semitones: value)
    }
  }
}
