public import JamCore

/// The wire form of an event: the messages of one packet.
public struct Feedback: Hashable, Sendable {
  /// The timetag of the bundle; nil for messages that are true now.
  public var timetag: OSCTimetag?
  public var messages: [OSCMessage]

  public init(timetag: OSCTimetag? = nil, messages: [OSCMessage]) {
    self.timetag = timetag
    self.messages = messages
  }

  /// A single message without a timetag is sent as a message. Several messages, or one with a
  /// timetag, are sent as a bundle.
  public func encoded() -> [UInt8] {
    if timetag == nil && messages.count == 1 { return messages[0].encoded() }
    return OSCPacket.encode(messages, at: timetag ?? .immediate)
  }
}

extension AddressTable {
  /// The message for `command`, which `CommandReader` reads as the same command.
  /// - Parameter player: the player who gives the command, for scores. Its name is put in front as
  ///   `/player/<name>/`; nil omits it.
  /// - Returns: nil for commands without an address.
  public func message(for command: Command, by player: PlayerName? = nil) -> OSCMessage? {
    guard let message = bareMessage(for: command) else { return nil }
    guard let player else { return message }
    return OSCMessage("/player/\(player.text)\(message.address)", message.arguments)
  }

  private func bareMessage(for command: Command) -> OSCMessage? {
    switch command {
    case .set(let setting, let value): return address(of: setting).map { OSCMessage($0, value.arguments) }
    case .struck(let edit, let strike):
      // The velocity has the same place as in the same edit without a `Strike`: it is the last
      // argument, except for a note's pad.
      guard var message = bareMessage(for: edit.command(1)) else { return nil }
      let hasPad = if case .note(_, _, _, .some) = edit { true } else { false }
      message.arguments[message.arguments.count - (hasPad ? 2 : 1)] = strike.argument
      return message
    case .toggle(let setting), .read(let setting): return address(of: setting).map { OSCMessage($0) }
    default:
      for entry in entries {
        guard let parts = entry.write?(command) else { continue }
        return OSCMessage(entry.address(numbers: parts.numbers, texts: parts.texts), parts.arguments)
      }
      return nil
    }
  }

  /// The address at which a setting is read and set. Its changes are sent under the same address.
  private func address(of setting: Setting) -> String? {
    switch setting {
    case .channelGain(let name): "/player/\(name)/gain"
    case .channelMute(let name): "/player/\(name)/mute"
    case .channelSolo(let name): "/player/\(name)/solo"
    case .mixGain(let name): "/mix/\(name)/gain"
    case .mixMute(let name): "/mix/\(name)/mute"
    case .roleOf(let name): "/player/\(name)/role"
    case .seatOf(let name): "/player/\(name)/seat"
    case .ofSeat(let seat, let setting):
      "/seat/\(seat)/\(setting.row.address.dropFirst(SettingRow.namedPlayer.count))"
    case .admitted(let name): "/player/\(name)/admit"
    case .step(let pad, let step) where pad.isKey: pad.note.map { "/key/\($0)/step/\(step)" }
    case .light(.kit(let id)): button("/kit/", id)
    case .light(.instrument(let id)): button("/instrument/", id)
    default: settings[setting]?.address
    }
  }

  /// The message that tells a value as a share of its range, at `/n/<address>`.
  /// - Returns: nil where the setting has no address, or its values have no range.
  public func share(_ setting: Setting, _ value: SettingValue) -> OSCMessage? {
    guard let address = address(of: setting), let share = setting.row.kind.share(of: value) else {
      return nil
    }
    return OSCMessage("/n" + address, .float(share))
  }

  /// - Returns: nil where the id makes no address, or makes that of another control.
  private func button(_ prefix: String, _ id: String) -> String? {
    guard !id.isEmpty,
      !id.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7f || AddressPattern.isReserved($0) })
    else { return nil }
    let address = prefix + id
    return concrete[address] == nil ? address : nil
  }

  /// The messages that tell a subscriber of `event`.
  /// - Parameter clock: gives the moment of a beat that is sent in advance.
  public func feedback(for event: Event, clock: ServerClock) -> Feedback {
    if case .value(let setting, let value) = event {
      let message = address(of: setting).map { OSCMessage($0, value.arguments) }
      return Feedback(messages: message.map { [$0] } ?? [])
    }
    if case .together(let events) = event {
      return Feedback(messages: events.flatMap { feedback(for: $0, clock: clock).messages })
    }
    var messages: [OSCMessage] = []
    for i in tellers[EventKind(event).rawValue] {
      if let arguments = entries[i].tell?(event) { messages.append(OSCMessage(entries[i].template, arguments)) }
    }
    if case .nextBeat(_, _, _, let moment) = event {
      return Feedback(timetag: clock.timetag(at: moment), messages: messages)
    }
    return Feedback(messages: messages)
  }
}
