/// Who asks to come into a room, beside a name: what places, kicks and roles go by.
public struct Visitor: Hashable, Sendable {
  /// Where it comes from; nil is the server itself, which no limit is for.
  public var address: SourceAddress?
  public var presence: Presence
  /// The token that it showed, although no player has it now.
  public var token: String?
  /// Knows the host's word: no kick and no lack of places by address is for it.
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

/// Where somebody comes from, as its edge tells it: a host's address or network. The room compares it and knows no more of it.
public struct SourceAddress: Hashable, Sendable {
  public let text: String
  /// Whether an address has a share of the room's places. It has none where many who are not told apart share it.
  public let isCounted: Bool

  public init(_ text: String, isCounted: Bool = true) {
    self.text = text
    self.isCounted = isCounted
  }

  public static func == (a: SourceAddress, b: SourceAddress) -> Bool { a.text == b.text }
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// What a room knows of somebody's being there.
public enum Presence: Int, Comparable, Sendable {
  /// Single packets under an address that may be forged.
  case unproven
  /// Single packets from an address that has shown that it is the sender's own.
  case proven
  /// An open connection: its end is noticed.
  case connected

  public static func < (a: Presence, b: Presence) -> Bool { a.rawValue < b.rawValue }
}
