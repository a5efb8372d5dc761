/// A person who asks to enter a room, apart from the name. Places, kicks and roles depend on these
/// facts.
public struct Visitor: Hashable, Sendable {
  /// The address that the person comes from; nil is the server itself, which has no limits.
  public var address: SourceAddress?
  public var presence: Presence
  /// The token that the person showed, although no player has it now.
  public var token: String?
  /// Whether the person knows the host's word. No kick and no limit of an address then applies.
  public var isTrusted: Bool

  public init(address: SourceAddress?, presence: Presence, token: String? = nil, isTrusted: Bool = false) {
    self.address = address
    self.presence = presence
    self.token = token
    self.isTrusted = isTrusted
  }

  /// The server itself.
  public static let server = Visitor(address: nil, presence: .connected, isTrusted: true)
}

/// The address or network of a person, as the edge names it. The room only compares these texts.
public struct SourceAddress: Hashable, Sendable {
  public let text: String
  /// Whether the address has a limited share of the room's places. An address has no share where
  /// many people use it and cannot be told apart.
  public let isCounted: Bool

  public init(_ text: String, isCounted: Bool = true) {
    self.text = text
    self.isCounted = isCounted
  }

  public static func == (a: SourceAddress, b: SourceAddress) -> Bool { a.text == b.text }
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// How well a person's presence is known.
public enum Presence: Int, Comparable, Sendable {
  /// Single packets from an address that may be forged.
  case unproven
  /// Single packets from an address that has proved to be the sender's own.
  case proven
  /// An open connection, whose end the server notices.
  case connected

  public static func < (a: Presence, b: Presence) -> Bool { a.rawValue < b.rawValue }
}
