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
  /// What is told behind the settings.
  private var events: ArraySlice<Event> = []
  private var hasAsked = false
  /// Messages that are made and stand in no packet yet.
  private var messages: ArraySlice<OSCMessage> = []
  private var bundle = BundleWriter()
  /// Answers to what was asked meanwhile: they come behind this one.
  private(set) var answers: ArraySlice<Answer> = []

  struct Answer {
    var bytes: [UInt8]
    var messages: Int
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
    self.events = events[...]
  }

  /// Another list behind what is left.
  mutating func add(_ more: [Event]) {
    askForEvents()
    events += more
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
      guard let events = nextEvents() else { return ready() ?? nextAnswer() ?? .over }
      messages = events.flatMap { AddressTable.standard.feedback(for: $0, clock: clock).messages }[...]
    }
    while let message = messages.first {
      guard bundle.append(message) else { return ready() ?? .goesOn }
      messages.removeFirst()
    }
    return .goesOn
  }

  private mutating func nextAnswer() -> Step? { answers.popFirst().map { .packet($0.bytes, messages: $0.messages) } }
  private mutating func ready() -> Step? { bundle.take().map { .packet($0.bytes, messages: $0.messages) } }

  /// - Returns: nil where all was told.
  private mutating func nextEvents() -> [Event]? {
    if let membership, next < settings.count {
      let some = settings[Range(from: next, to: min(settings.count, next + RoomDump.valuesOfStep))]
      next = some.endIndex
      return membership.room.assumeIsolated { $0.values(of: some, for: membership.player) }
    }
    askForEvents()
    guard !events.isEmpty else { return nil }
    let some = events.prefix(RoomDump.valuesOfStep)
    events = events.dropFirst(RoomDump.valuesOfStep)
    return Array(some)
  }

  private mutating func askForEvents() {
    guard let membership, !hasAsked else { return }
    hasAsked = true
    events += membership.room.assumeIsolated { $0.readableEvents }
  }
}
