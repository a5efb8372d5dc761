internal import JamWire

/// Controls whose ranges come from the table of addresses. A mistake in an address of this module
/// ends the program in its tests.
extension LayoutControl {
  static func button(
    _ address: String, _ label: String, _ frame: LayoutFrame, _ colour: LayoutColour = .plain,
    light: String? = nil
  ) -> LayoutControl {
    LayoutControl(
      kind: .button, frame: frame, address: address, label: label, colour: colour, light: light)
  }

  /// A button whose light is told at its own address.
  static func lit(
    _ address: String, _ label: String, _ frame: LayoutFrame, _ colour: LayoutColour = .plain
  ) -> LayoutControl {
    button(address, label, frame, colour, light: address)
  }

  static func order(
    _ messages: [LayoutMessage], _ label: String, _ frame: LayoutFrame,
    _ colour: LayoutColour = .plain
  ) -> LayoutControl {
    LayoutControl(
      kind: .order(messages), frame: frame, address: messages.first?.address ?? "", label: label,
      colour: colour)
  }

  static func toggle(
    _ address: String, _ label: String, _ frame: LayoutFrame, _ colour: LayoutColour = .plain
  ) -> LayoutControl {
    LayoutControl(kind: .switch, frame: frame, address: address, label: label, colour: colour)
  }

  static func fader(
    _ address: String, _ label: String, _ frame: LayoutFrame, _ colour: LayoutColour = .fader,
    isLying: Bool = false, caption: String? = nil
  ) -> LayoutControl {
    LayoutControl(
      kind: .fader(range(of: address), isLying: isLying), frame: frame, address: address,
      label: label, colour: colour,
      caption: caption)
  }

  /// - Parameter start: the text until the server tells one.
  static func reading(
    _ address: String, _ label: String, _ frame: LayoutFrame, start: String = ""
  ) -> LayoutControl {
    LayoutControl(
      kind: .reading(start: start), frame: frame, address: address, label: label, colour: .strip)
  }

  static func meter(_ address: String, _ label: String, _ frame: LayoutFrame) -> LayoutControl {
    LayoutControl(
      kind: .meter(range(of: address)), frame: frame, address: address, label: label, colour: .lamp)
  }

  /// - Parameter light: the address of a light, 0…1, that says whether the controls work.
  static func title(_ label: String, _ frame: LayoutFrame, light: String? = nil) -> LayoutControl {
    LayoutControl(
      kind: .title, frame: frame, address: label, label: label, colour: .strip, light: light)
  }

  /// The range of the first argument at the address.
  static func range(of address: String) -> LayoutRange {
    guard let row = AddressTable.standard.row(at: address) else {
      preconditionFailure("\(address) is no address of the table")
    }
    if row.isShare { return .share }
    switch row.entry.arguments.first?.kind {
    case .float(let range?):
      return LayoutRange(least: range.lowerBound, largest: range.upperBound, isWhole: false)
    case .integer(let range?):
      return LayoutRange(least: range.lowerBound, largest: range.upperBound, isWhole: true)
    default: preconditionFailure("\(address) takes no number of a range")
    }
  }
}
