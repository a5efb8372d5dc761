internal import JamCore

/// The picture that messengers show beside a take's link: the waveform, with a play button on it.
///
/// Thread: any that may work for some milliseconds.
enum TakePicture {
  /// The size that messengers want, in dots.
  static let width = 1_200
  static let height = 630

  /// The colours of the page at night, and of the icon.
  private static let ground = PNGImage.Colour(0x151412)
  private static let wave = PNGImage.Colour(0xFF9A57)
  private static let disc = PNGImage.Colour(0xB8460E)
  private static let sign = PNGImage.Colour(0xFFFFFF)

  private static let margin = 80
  /// The distance from one bar to the next, and the width of a bar, in dots.
  private static let step = 10
  private static let bar = 6
  private static let tallest = 400

  /// Raise this number when the drawing changes. Then the tags of all pictures change.
  private static let version: UInt8 = 1

  /// The ETag of the picture. It is computed without drawing the picture.
  static func tag(of peaks: [UInt8]) -> String { Asset.tag(of: [version] + peaks) }

  /// The picture as a PNG file; nil where there is no memory for it.
  /// - Parameter peaks: the peaks of the part that is heard, 0…255, evenly spaced.
  static func file(of peaks: [UInt8]) -> [UInt8]? {
    var image = PNGImage(width: width, height: height, ground: ground)
    for (index, peak) in grouped(peaks, in: (width - 2 * margin) / step).enumerated() {
      draw(peak, at: margin + index * step + (step - bar) / 2, of: &image)
    }
    drawPlay(on: &image)
    return image.file
  }

  /// The peak of each of `count` parts, relative to the highest peak, which is 1.
  static func grouped(_ peaks: [UInt8], in count: Int) -> [Double] {
    guard let most = peaks.max(), most > 0 else { return Array(repeating: 0, count: count) }
    return (0..<count).map { index in
      let first = index * peaks.count / count
      let end = max(first + 1, (index + 1) * peaks.count / count)
      let loudest = peaks[Range(from: first, to: end)].max() ?? 0
      return Double(loudest) / Double(most)
    }
  }

  /// Draws a bar with round ends, upwards and downwards from the middle.
  private static func draw(_ peak: Double, at x: Int, of image: inout PNGImage) {
    let half = Int(saturating: peak * Double(tallest / 2))
    let tall = max(bar / 2, half)
    let (top, bottom) = (height / 2 - tall, height / 2 + tall)
    for (inset, rows) in [(2, 0), (1, 1), (0, 2)] {
      let columns = Range(from: x + inset, to: x + bar - inset)
      image.fill(x: columns, y: Range(from: top + rows, to: bottom - rows), with: wave)
    }
  }

  /// Draws a disc with a triangle on it, in the middle of the picture.
  private static func drawPlay(on image: inout PNGImage) {
    let (middleX, middleY) = (Double(width) / 2, Double(height) / 2)
    let reach = 130
    let x = Range(from: width / 2 - reach, to: width / 2 + reach)
    let y = Range(from: height / 2 - reach, to: height / 2 + reach)
    // The outer disc has the colour of the ground. It keeps the bars away from the inner disc.
    for (colour, radius) in [(ground, 122.0), (disc, 108.0)] {
      image.paint(x: x, y: y, with: colour) { x, y in
        let (across, down) = (x - middleX, y - middleY)
        return radius + 0.5 - (across * across + down * down).squareRoot()
      }
    }
    // The triangle's tip is 56 dots to the right of the middle. Its back is 36 dots to the left,
    // and reaches 54 dots up and down.
    let (back, tip, half) = (-36.0, 56.0, 54.0)
    let side = ((tip - back) * (tip - back) + half * half).squareRoot()
    image.paint(x: x, y: y, with: sign) { x, y in
      let (across, down) = (x - middleX, abs(y - middleY))
      // The distance of the dot from the triangle's nearer side, positive inside.
      let inside = ((tip - across) * half - down * (tip - back)) / side
      return min(across - back, inside) + 0.5
    }
  }
}
