/// The port for a subscriber's feedback, from the number in `/subscribe`.
///
/// A button sends 1.0 and means no port, and no controller listens below 1024: both mean the
/// sender's own port. A float from 1024 on has two possible meanings: a port from a program that
/// sends all numbers as floats, or the position of a fader. Feedback then goes to that port and to
/// the sender's own.
struct FeedbackPort: Hashable, Sendable {
  /// The port; nil is the sender's own.
  var number: UInt16?
  var andOwn = false

  static let own = FeedbackPort(number: nil)
  static let range = 1.0...65_535.0
  /// Smaller ports belong to the system's services.
  private static let leastPort: UInt16 = 1_024

  init(number: UInt16?, andOwn: Bool = false) {
    self.number = number
    self.andOwn = andOwn
  }

  /// - Throws: `WireError` where the argument is neither a port nor a button.
  init(_ argument: OSCArgument, _ spec: ArgumentSpec, address: String) throws(WireError) {
    switch argument {
    case .true, .false: self = .own
    case .float, .double:
      let value = try spec.number(argument, "a port", address)
      let port = UInt16(exactly: value).flatMap { $0 < FeedbackPort.leastPort ? nil : $0 }
      self.init(number: port, andOwn: port != nil)
    default:
      // The port may also come as text.
      let written = argument.text.flatMap { Double($0) }
      let value = if let written { written } else { try spec.number(argument, "a port", address) }
      guard let port = UInt16(exactly: value) else { throw spec.outOfRange(value, FeedbackPort.range, address) }
      self.init(number: port < FeedbackPort.leastPort ? nil : port)
    }
  }

  /// The port as text in an address; nil where the text is not a port's number.
  init?(_ text: String) {
    guard let port = UInt16(text) else { return nil }
    self.init(number: port < FeedbackPort.leastPort ? nil : port)
  }
}
