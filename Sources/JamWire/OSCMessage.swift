/// An OSC message: an address and its arguments.
public struct OSCMessage: Hashable, Sendable {
  public var address: String
  public var arguments: [OSCArgument]

  public init(_ address: String, _ arguments: [OSCArgument] = []) {
    self.address = address
    self.arguments = arguments
  }

  public init(_ address: String, _ arguments: OSCArgument...) {
    self.init(address, arguments)
  }
}

extension OSCMessage: CustomStringConvertible {
  public var description: String {
    arguments.reduce(into: address) { $0 += " " + $1.words }
  }
}
