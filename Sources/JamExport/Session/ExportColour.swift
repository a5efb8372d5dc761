/// A colour of a screen, each part 0…255.
public struct ExportColour: Hashable, Sendable {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// `#rrggbb`.
  var hexadecimal: String { "#" + [red, green, blue].map { Decimal.hexadecimal($0) }.joined() }
}
