/// Where a subscriber wants its feedback, as far as its number says so.
///
/// A button sends 1.0 and means no port, and no controller listens below 1024: both are the sender's own port. A float from there on may
/// be a port, where a program sends all its numbers as floats, or a fader: both that port and the sender's own have the feedback.
struct FeedbackPort: Hashable, Sendable {
  /// nil is the sender's own.
  var number: UInt16?
  var andOwn = false

  static let own = FeedbackPort(number: nil)
  static let range = 1.0...65_535.0
  /// Below are the ports of the system's services.
  private static let leastPort: UInt16 = 1_024

  init(number: UInt16?, andOwn: Bool = false) {
    self.number = number
    self.andOwn = andOwn
  }

  /// - Throws: `WireError` where it is neither a port nor a button.
  init(_ argument: OSCArgument, _ spec: ArgumentSpec, address: String) throws(WireError) {
    switch argument {
    case .true, .false: self = .own
    case .float, .double:
      let value = try spec.number(argument, "a port", address)
      let port = UInt16(exactly: value).flatMap { $0 < FeedbackPort.leastPort ? nil : $0 }
      self.init(number: port, andOwn: port != nil)
    default:
      // Also a port that came as a text.
      let written = argument.text.flatMap { Double($0) }
      let value = if let written { written } else { try spec.number(argument, "a port", address) }
      guard let port = UInt16(exactly: value) else { throw spec.outOfRange(value, FeedbackPort.range, address) }
      self.init(number: port < FeedbackPort.leastPort ? nil : port)
    }
  }

  /// As it stands in an address; nil where that is no number of a port.
  init?(_ text: String) {
    guard let port = UInt16(text) else { return nil }
    self.init(number: port < FeedbackPort.leastPort ? nil : port)
  }
}
