public import JamCore

/// The address that `/sync <address>` asks for, and how the room is asked.
public struct Question: Hashable, Sendable {
  /// The address without `/room/<name>` and `/player/<name>` at its beginning.
  public var address: String
  /// The address as it was asked for. The answer comes there, where it is a single value.
  public var sent: String
  /// From the beginning of the address; nil is the sender's own.
  public var room: PlayerName?
  public var player: PlayerName?
  /// The seat that the address itself names, and the seat in front of it, whose player is asked
  /// about.
  public var seat: Int?
  public var actingSeat: Int?
  /// Whether the answer is a share of the setting's range: `/n/<address>`.
  public var isShare = false
  /// The command whose answer is the value. Nil asks for those of the room's readable events that
  /// are told at the address.
  public var command: Command?

  /// Whether the address begins with a room, a player or a seat.
  public var hasPrefix: Bool { room != nil || player != nil || actingSeat != nil }

  init(
    address: String, sent: String, of found: Resolution, isShare: Bool = false, command: Command?
  ) {
    self.address = address
    self.sent = sent
    room = found.room
    player = found.player
    seat = found.seat
    actingSeat = found.actingSeat
    self.isShare = isShare
    self.command = command
  }
}

extension AddressTable {
  /// - Throws: `WireError` where there is no such address, or it never holds a value.
  func question(_ address: String) throws(WireError) -> Question {
    let found = try resolve(address)
    let entry = entries[found.entry]
    if let setting = setting(of: found) {
      return Question(
        address: entry.address(numbers: [found.numbers.0, found.numbers.1], texts: found.texts),
        sent: address, of: found, isShare: found.isShare, command: .read(setting))
    }
    guard let kind = entry.tells else { throw .noValue(address: address) }
    return Question(address: entry.template, sent: address, of: found, command: kind.list)
  }
}

extension EventKind {
  /// The command whose answer is a list of such events; nil where there is no such command.
  fileprivate var list: Command? {
    switch self {
    case .kitItem: .listKits
    case .sampleItem: .listSamples("")
    case .blockItem: .listBlocks
    case .instrumentItem: .listInstruments
    case .progressionItem, .savedProgression: .listProgressions
    case .chatItem: .listChat
    case .takeItem: .take(.list)
    case .projectItem: .project(.list)
    case .ownSteps: .listSteps
    case .roomSteps: .listRoomSteps
    default: nil
    }
  }
}
