internal import JamCore
internal import JamRoom
internal import JamWire

/// A long answer, sent in pieces, because hundreds of messages at once would delay all players'
/// hits. The answer is a list, or all readable facts of a room. Each value of a room is read when
/// it is sent.
///
/// Thread: the room thread.
struct RoomDump {
  enum Step {
    /// A packet with so many messages is ready.
    case packet([UInt8], messages: Int)
    /// The next step continues the answer.
    case goesOn
    case over
  }

  /// The room whose facts are sent; nil where the answer is only a list.
  let room: Room?
  /// The player whose settings are sent, too; nil where there is none.
  let player: PlayerID?
  private let withSeats: Bool
  private let shares: Set<Setting>
  /// Listed with the first step, because a hit may bring about the answer.
  private var settings: [Setting]?
  private var next = 0
  /// The room's further events, sent after the settings.
  private var events: ArraySlice<Event> = []
  private var hasAsked = false
  private var asksAgain = 4
  /// Lists that follow.
  private var lists: ArraySlice<Event> = []
  /// Messages that are made, but not yet in a packet.
  private var messages: ArraySlice<OSCMessage> = []
  private var bundle = BundleWriter()
  /// Answers to later questions. They follow this answer.
  private(set) var answers: ArraySlice<Answer> = []

  enum Answer {
    case packet([UInt8], messages: Int)
    /// A requested value. It is sent as it is when its turn comes; `asked` is its value at the time
    /// of the question.
    case value(Setting, of: Membership, asked: SettingValue)
  }

  private static let mostAnswers = 256
  /// More than all kits and sounds of a room together.
  static let mostListed = 16_384

  /// The values or events that one step turns into messages. Each takes some microseconds.
  private static let valuesOfStep = 8

  /// - Parameters:
  ///   - withSeats: whether the settings of seats follow the others.
  ///   - shares: the settings that are also told as shares of their ranges.
  ///   - answers: the answers that were waiting behind the long answer that this one replaces.
  init(
    of room: Room, for player: PlayerID?, withSeats: Bool = false, shares: Set<Setting> = [],
    before answers: ArraySlice<Answer> = []
  ) {
    self.room = room
    self.player = player
    self.withSeats = withSeats
    self.shares = shares
    self.answers = answers
  }

  /// The seats alone.
  init(ofSeatsIn room: Room, shares: Set<Setting>) {
    self.init(of: room, for: nil, shares: shares)
    settings = room.assumeIsolated { $0.readableSeats }
    hasAsked = true
  }

  init(of events: [Event]) {
    room = nil
    player = nil
    withSeats = false
    shares = []
    settings = []
    lists = events[...]
  }

  /// Appends another list.
  /// - Parameter most: the limit of waiting events before it.
  /// - Returns: false where that many wait already.
  mutating func add(_ more: [Event], most: Int) -> Bool {
    guard lists.count < most else { return false }
    lists += more
    return true
  }

  /// Prepares for a newer event that overtakes this answer. The finished messages are sent first,
  /// because after the newer event they would show old values and stay. Events that were read from
  /// the room but not sent yet are read again later.
  mutating func overtaken() -> [(bytes: [UInt8], messages: Int)] {
    var packets: [(bytes: [UInt8], messages: Int)] = []
    for message in messages {
      if bundle.append(message) { continue }
      if let packet = bundle.take() { packets.append(packet) }
      _ = bundle.append(message)
    }
    messages = []
    if let packet = bundle.take() { packets.append(packet) }
    askAgain()
    return packets
  }

  /// Reads the events that were not sent yet once more when their turn comes.
  mutating func askAgain() {
    // The number of repetitions is limited, so that the answer also ends in a busy room.
    guard hasAsked, !events.isEmpty, asksAgain > 0 else { return }
    asksAgain -= 1
    hasAsked = false
    events = []
  }

  /// - Returns: false where too many answers wait already.
  mutating func add(_ answer: Answer) -> Bool {
    guard answers.count < RoomDump.mostAnswers else { return false }
    answers.append(answer)
    return true
  }

  /// Takes out the finished answers: they do not wait for a state that waits to be paid for.
  mutating func takeAnswers() -> [(bytes: [UInt8], messages: Int)] {
    let all = answers
    answers = []
    return all.compactMap { answer in
      guard case .packet(let bytes, let messages) = answer else {
        answers.append(answer)
        return nil
      }
      return (bytes, messages)
    }
  }

  /// Does a small part of the work.
  mutating func step(clock: ServerClock) -> Step {
    if messages.isEmpty {
      guard let events = nextEvents() else { return ready() ?? nextAnswer(clock: clock) ?? .over }
      messages = events.flatMap { told($0, clock: clock) }[...]
    }
    while let message = messages.first {
      guard bundle.append(message) else { return ready() ?? .goesOn }
      messages.removeFirst()
    }
    return .goesOn
  }

  private func told(_ event: Event, clock: ServerClock) -> [OSCMessage] {
    let messages = AddressTable.standard.feedback(for: event, clock: clock).messages
    guard case .value(let setting, let value) = event, shares.contains(setting),
      let share = AddressTable.standard.share(setting, value)
    else { return messages }
    return messages + [share]
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

  private func listed() -> [Setting] {
    room?.assumeIsolated { [player, withSeats] in
      $0.readable(by: player) + (withSeats ? $0.readableSeats : [])
    } ?? []
  }

  /// - Returns: nil where everything was sent.
  private mutating func nextEvents() -> [Event]? {
    let settings = settings ?? listed()
    self.settings = settings
    if let room, next < settings.count {
      let some = settings[Range(from: next, to: min(settings.count, next + RoomDump.valuesOfStep))]
      next = some.endIndex
      return room.assumeIsolated { [player] in $0.values(of: some, for: player) }
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
    guard let room, !hasAsked else { return }
    hasAsked = true
    events = room.assumeIsolated { [player] in $0.readableEvents(by: player) }[...]
  }
}
