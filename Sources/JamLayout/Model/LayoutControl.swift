/// One control of a layout, with what it sends and what it shows.
struct LayoutControl: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// Sends 1 when it is pressed and 0 when it is let go of.
    case button
    /// Sends each of these messages when it is pressed, and nothing when it is let go of.
    case order([LayoutMessage])
    /// Sends 1 or 0 in turn, and shows which of the two the server tells.
    case `switch`
    /// Sends a number of the range, and follows those that the server tells.
    case fader(LayoutRange, isLying: Bool)
    /// A key: sends 1 and 0 as a button does, and how high the finger lies on it, 0…1, at the
    /// address with `/y` behind it.
    case key
    /// Sends nothing, and shows the text or the number that the server tells at the address, below
    /// its label.
    case reading(start: String)
    /// Sends nothing, and shows the number that the server tells as the length of a bar.
    case meter(LayoutRange)
    /// Sends nothing: the label of the controls beside it, with a light where it has one.
    case title
  }

  var kind: Kind
  var frame: LayoutFrame
  /// The address at which it sends, or at which the server tells what it shows.
  var address: String
  /// The text on it; empty is none.
  var label: String
  var colour = LayoutColour.plain
  /// The address of its light, 0…1; nil is none.
  var light: String?
  /// The address at which the server tells its text, which then takes the place of the label.
  var caption: String?
  /// Whether it is a pad: it has a large light, and its name on a strip below.
  var isPad = false

  /// Whether a finger does something with it.
  var isTouched: Bool {
    switch kind {
    case .button, .order, .switch, .fader, .key: true
    case .reading, .meter, .title: false
    }
  }

  /// The addresses at which the server tells what the control shows.
  var told: [String] {
    let own: [String] =
      switch kind {
      case .switch, .fader, .reading, .meter: [address]
      case .button, .order, .key, .title: []
      }
    return own + [light, caption].compactMap(\.self)
  }

  /// The height of a key.
  var heightAddress: String { address + "/y" }
}

/// A message whose values are fixed.
struct LayoutMessage: Hashable, Sendable {
  enum Value: Hashable, Sendable {
    case text(String)
    case whole(Int)
  }

  var address: String
  var values: [Value]
}

/// The numbers of a fader.
struct LayoutRange: Hashable, Sendable {
  var least: Double
  var largest: Double
  /// Whether they are whole numbers.
  var isWhole: Bool

  static let share = LayoutRange(least: 0, largest: 1, isWhole: false)
}
