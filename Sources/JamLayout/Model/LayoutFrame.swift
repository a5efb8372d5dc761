/// The place and the size of a control, in the screen's units.
struct LayoutFrame: Hashable, Sendable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var right: Int { x + width }
  var bottom: Int { y + height }

  func inset(by margin: Int) -> LayoutFrame {
    LayoutFrame(
      x: x + margin, y: y + margin, width: width - 2 * margin, height: height - 2 * margin)
  }

  /// Parts beside each other, as wide as their weights say, with a gap between them.
  func columns(_ weights: [Int], gap: Int = LayoutFrame.gap) -> [LayoutFrame] {
    LayoutFrame.parts(of: width, weights, gap).map {
      LayoutFrame(x: x + $0.start, y: y, width: $0.length, height: height)
    }
  }

  /// Parts below each other, as high as their weights say, with a gap between them.
  func rows(_ weights: [Int], gap: Int = LayoutFrame.gap) -> [LayoutFrame] {
    LayoutFrame.parts(of: height, weights, gap).map {
      LayoutFrame(x: x, y: y + $0.start, width: width, height: $0.length)
    }
  }

  /// Cells of one size, row by row.
  func cells(columns: Int, rows: Int, gap: Int = LayoutFrame.gap) -> [LayoutFrame] {
    self.rows(Array(repeating: 1, count: rows), gap: gap)
      .flatMap { $0.columns(Array(repeating: 1, count: columns), gap: gap) }
  }

  static let gap = 4

  private static func parts(of length: Int, _ weights: [Int], _ gap: Int) -> [(
    start: Int, length: Int
  )] {
    let room = length - gap * (weights.count - 1)
    let sum = max(weights.reduce(0, +), 1)
    var before = 0
    // Each border is rounded alone, so that the parts fill the whole length.
    return weights.enumerated().map { place, weight in
      let start = room * before / sum
      before += weight
      return (start + place * gap, room * before / sum - start)
    }
  }
}
