public import JamCore

/// What an event is on the wire: one packet's messages.
public struct Feedback: Hashable, Sendable {
  /// A bundle's; nil is for messages that are true now.
  public var timetag: OSCTimetag?
  public var messages: [OSCMessage]

  public init(timetag: OSCTimetag? = nil, messages: [OSCMessage]) {
    self.timetag = timetag
    self.messages = messages
  }

  /// One message alone is a message, several or a timed one are a bundle.
  public func encoded() -> [UInt8] {
    if timetag == nil && messages.count == 1 { return messages[0].encoded() }
    return OSCPacket.encode(messages, at: timetag ?? .immediate)
  }
}

extension AddressTable {
  /// The message that asks for `command`: what `CommandReader` reads back as the same command.
  /// - Parameter player: who asks, as `/player/<name>/` in front, for scores; nil leaves it out.
  /// - Returns: nil for commands that no address asks for.
  public func message(for command: Command, by player: PlayerName? = nil) -> OSCMessage? {
    guard let message = bareMessage(for: command) else { return nil }
    guard let player else { return message }
    return OSCMessage("/player/\(player.text)\(message.address)", message.arguments)
  }

  private func bareMessage(for command: Command) -> OSCMessage? {
    switch command {
    case .set(let setting, let value): return address(of: setting).map { OSCMessage($0, value.arguments) }
    case .struck(let edit, let strike):
      // The velocity stands where the same edit's does: behind all but a note's pad.
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

  /// Where a setting is read and set, and its changes are told.
  private func address(of setting: Setting) -> String? {
    switch setting {
    case .channelGain(let name): "/player/\(name)/gain"
    case .channelMute(let name): "/player/\(name)/mute"
    case .channelSolo(let name): "/player/\(name)/solo"
    case .roleOf(let name): "/player/\(name)/role"
    case .step(let pad, let step) where pad.isKey: pad.note.map { "/key/\($0)/step/\(step)" }
    default: settings[setting]?.address
    }
  }

  /// What tells `event` to a subscriber.
  /// - Parameter clock: for the moment of a beat that is told ahead.
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
