internal import JamCore
internal import JamRoom
internal import JamWire

/// A long answer, told in pieces: hundreds of messages at once would hold up everybody's hits. It is a list,
/// or everything that can be read of a room; then each value is the one of the moment when it is told.
///
/// Thread: the room thread.
struct RoomDump {
  enum Step {
    /// A packet of so many messages is ready to go.
    case packet([UInt8], messages: Int)
    /// More comes with the next step.
    case goesOn
    case over
  }

  /// Whose settings are told; nil where it is a list alone.
  private let membership: Membership?
  private let settings: [Setting]
  private var next = 0
  /// What is told of the room behind the settings.
  private var events: ArraySlice<Event> = []
  private var hasAsked = false
  private var asksAgain = 4
  /// Lists that come behind it.
  private var lists: ArraySlice<Event> = []
  /// Messages that are made and stand in no packet yet.
  private var messages: ArraySlice<OSCMessage> = []
  private var bundle = BundleWriter()
  /// Answers to what was asked meanwhile: they come behind this one.
  private(set) var answers: ArraySlice<Answer> = []

  enum Answer {
    case packet([UInt8], messages: Int)
    /// A value that was asked for: it is told as it is when its turn comes. `asked` is what it was then.
    case value(Setting, of: Membership, asked: SettingValue)
  }

  private static let mostAnswers = 256

  /// Values or events that one step makes messages of: some microseconds each.
  private static let valuesOfStep = 8

  /// - Parameter answers: what was to come behind the answer whose place this one takes.
  init(of membership: Membership, before answers: ArraySlice<Answer> = []) {
    self.membership = membership
    self.answers = answers
    settings = membership.room.assumeIsolated { $0.readable(by: membership.player) }
  }

  init(of events: [Event]) {
    membership = nil
    settings = []
    lists = events[...]
  }

  /// Another list behind what is left.
  mutating func add(_ more: [Event]) { lists += more }

  /// Something newer is about to be told past this answer: what was made goes first, as it would otherwise come
  /// behind the newer and stay. What the room was asked for and is not told yet is asked for again.
  mutating func overtaken() -> [(bytes: [UInt8], messages: Int)] {
    var packets: [(bytes: [UInt8], messages: Int)] = []
    for message in messages {
      if bundle.append(message) { continue }
      if let packet = bundle.take() { packets.append(packet) }
      _ = bundle.append(message)
    }
    messages = []
    if let packet = bundle.take() { packets.append(packet) }
    // A room in which much is done does not keep somebody from ever being told all of it.
    if hasAsked, !events.isEmpty, asksAgain > 0 {
      asksAgain -= 1
      hasAsked = false
      events = []
    }
    return packets
  }

  /// - Returns: false where too many wait already.
  mutating func add(_ answer: Answer) -> Bool {
    guard answers.count < RoomDump.mostAnswers else { return false }
    answers.append(answer)
    return true
  }

  /// Does a little of it.
  mutating func step(clock: ServerClock) -> Step {
    if messages.isEmpty {
      guard let events = nextEvents() else { return ready() ?? nextAnswer(clock: clock) ?? .over }
      messages = events.flatMap { AddressTable.standard.feedback(for: $0, clock: clock).messages }[...]
    }
    while let message = messages.first {
      guard bundle.append(message) else { return ready() ?? .goesOn }
      messages.removeFirst()
    }
    return .goesOn
  }

  private mutating func nextAnswer(clock: ServerClock) -> Step? {
    switch answers.popFirst() {
    case nil: nil
    case .packet(let bytes, let messages)?: .packet(bytes, messages: messages)
    case .value(let setting, let membership, let asked)?:
      RoomDump.packet(
        membership.room.assumeIsolated { $0.values(of: [setting], for: membership.player) }.first
          ?? .value(setting, asked), clock: clock)
    }
  }

  private static func packet(_ event: Event, clock: ServerClock) -> Step {
    let feedback = AddressTable.standard.feedback(for: event, clock: clock)
    return .packet(feedback.encoded(), messages: feedback.messages.count)
  }

  private mutating func ready() -> Step? { bundle.take().map { .packet($0.bytes, messages: $0.messages) } }

  /// - Returns: nil where all was told.
  private mutating func nextEvents() -> [Event]? {
    if let membership, next < settings.count {
      let some = settings[Range(from: next, to: min(settings.count, next + RoomDump.valuesOfStep))]
      next = some.endIndex
      return membership.room.assumeIsolated { $0.values(of: some, for: membership.player) }
    }
    askForEvents()
    return RoomDump.nextEvents(of: &events) ?? RoomDump.nextEvents(of: &lists)
  }

  private static func nextEvents(of events: inout ArraySlice<Event>) -> [Event]? {
    guard !events.isEmpty else { return nil }
    defer { events = events.dropFirst(valuesOfStep) }
    return Array(events.prefix(valuesOfStep))
  }

  private mutating func askForEvents() {
    guard let membership, !hasAsked else { return }
    hasAsked = true
    events = membership.room.assumeIsolated { $0.readableEvents(by: membership.player) }[...]
  }
}
