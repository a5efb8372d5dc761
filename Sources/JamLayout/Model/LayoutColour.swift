internal import JamCore

/// A colour of a control, each part 0…255.
struct LayoutColour: Hashable, Sendable {
  var red: Int
  var green: Int
  var blue: Int

  init(_ red: Int, _ green: Int, _ blue: Int) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// - Parameter text: `#rrggbb`; nil for any other text.
  init?(_ text: String) {
    let digits = text.utf8.dropFirst()
    guard text.utf8.count == 7, text.utf8.first == UInt8(ascii: "#"),
      let number = Int(digits.asText, radix: 16),
      digits.first != UInt8(ascii: "-"), digits.first != UInt8(ascii: "+")
    else { return nil }
    self.init(number >> 16 & 0xFF, number >> 8 & 0xFF, number & 0xFF)
  }

  /// `#rrggbb`.
  var hexadecimal: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The relative luminance, 0…1, with a square for the curve of screens.
  var luminance: Double {
    func part(_ value: Int) -> Double { Double(value * value) / 65_025 }
    return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
  }

  /// The contrast with another colour, 1…21.
  /// - Source: WCAG 2.1, contrast ratio.
  func contrast(with other: LayoutColour) -> Double {
    let (one, two) = (luminance + 0.05, other.luminance + 0.05)
    return max(one, two) / min(one, two)
  }

  /// The colour, made lighter in steps until it stands out from the ground of the pages.
  var standingOut: LayoutColour {
    var colour = self
    for _ in 0..<16 where colour.contrast(with: .ground) < 2 {
      colour = LayoutColour(
        colour.red + (255 - colour.red) / 8, colour.green + (255 - colour.green) / 8,
        colour.blue + (255 - colour.blue) / 8)
    }
    return colour
  }

  static let white = LayoutColour(255, 255, 255)
  /// The text of titles.
  static let quiet = LayoutColour(176, 182, 200)
  /// The ground of the pages.
  static let ground = LayoutColour(18, 19, 26)
  /// The ground of texts.
  static let strip = LayoutColour(8, 9, 14)
  static let plain = LayoutColour(58, 66, 94)
  static let go = LayoutColour(24, 112, 74)
  static let stop = LayoutColour(120, 66, 20)
  static let record = LayoutColour(168, 34, 52)
  static let fader = LayoutColour(64, 132, 200)
  static let whiteKey = LayoutColour(168, 176, 196)
  static let blackKey = LayoutColour(60, 66, 86)
  /// A light that is on.
  static let lamp = LayoutColour(255, 241, 201)
  /// For kits that have no colours.
  static let pads = (LayoutColour(217, 112, 74), LayoutColour(74, 127, 217))
}

extension Collection<UInt8> {
  fileprivate var asText: String { String(decoding: self, as: UTF8.self) }
}
