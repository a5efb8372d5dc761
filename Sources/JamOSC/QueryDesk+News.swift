internal import JamCore
internal import JamNet
internal import JamRoom
internal import JamWire
internal import NIOCore
internal import Synchronization

/// The room thread's news: views that come, and what happens in them.
///
/// Thread: the desk's event loop.
extension QueryDesk {
  func take(_ news: QueryNews) {
    switch news {
    case .found(let number, let tap):
      if let question = questions.removeValue(forKey: number) { found(question, tap) }
    case .placed(let connection, let origin, let tap):
      listeners[ObjectIdentifier(connection)]?.listener.origin = origin
      if let scene = scenes[tap] {
        place(connection, in: scene)
      } else {
        orders?.follow(connection)
      }
    case .begins(let tap, let asker, let player, let room):
      touched.insert(tap)
      scene(tap).begins(asker, player: player, titles: QueryDesk.titles(of: room))
    case .listed(let tap, let addresses): scenes[tap]?.lists(addresses)
    case .told(let tap, let events):
      guard let scene = scenes[tap] else { return }
      for event in events where scene.holds(event) { scene.hear(messages(event), isRead: true) }
    case .complete(let tap):
      touched.insert(tap)
      if let scene = scenes[tap] { complete(scene) }
    case .event(let taps, let event, let origin, let setting):
      take(event, taps, origin, setting)
    case .missed(let tap):
      counters.unsent.wrappingAdd(1, ordering: .relaxed)
      touched.insert(tap)
      scenes[tap]?.changes()
    case .gone(let tap): if let scene = scenes.removeValue(forKey: tap) { gone(scene) }
    }
  }

  static func titles(of room: Room) -> [String: String] {
    var titles: [String: String] = [:]
    for kit in room.kits { titles["/kit/\(kit.id)"] = kit.name }
    for instrument in room.instruments.all {
      titles["/instrument/\(instrument.id)"] = instrument.name
    }
    return titles
  }

  func scene(_ tap: Int) -> QueryScene {
    if let known = scenes[tap] { return known }
    let scene = QueryScene(tap, at: loop.now)
    scenes[tap] = scene
    return scene
  }

  /// A bundle that is told ahead of its moment has no messages here: they say nothing without it.
  func messages(_ event: Event) -> [OSCMessage] {
    let feedback = AddressTable.standard.feedback(for: event, clock: clock)
    return feedback.timetag == nil ? feedback.messages : []
  }

  private func take(_ event: Event, _ taps: [Int], _ origin: Origin, _ setting: Setting?) {
    // All views of a room are told the same, so the messages are made once.
    var made: [OSCMessage]?
    for tap in taps {
      guard let scene = scenes[tap] else { continue }
      touched.insert(tap)
      let holds = scene.holds(event)
      if holds || !scene.listeners.isEmpty {
        let messages = made ?? messages(event)
        made = messages
        if holds { scene.hear(messages) }
        tell(messages, event, scene, origin, setting)
      }
      if scene.isMoved(by: event) { scene.changes() }
    }
  }

  private func tell(
    _ messages: [OSCMessage], _ event: Event, _ scene: QueryScene, _ origin: Origin,
    _ setting: Setting?
  ) {
    for listener in scene.listeners.values {
      if case .value(let told, _) = event, told == setting, listener.origin == origin { continue }
      for message in messages where listener.covers(message.address) {
        let key = QueryDesk.key(of: message, event)
        if event.isThinned, listener.tellNow(message, key: key) { continue }
        if listener.tellEarly(message, key: key, at: loop.now) { continue }
        put(message, key: key, for: listener)
      }
    }
  }

  /// Values at one address replace each other. Other events do so where they are about the same
  /// player, and the same pad or key.
  static func key(of message: OSCMessage, _ event: Event) -> String {
    let arguments: ArraySlice<OSCArgument> =
      switch event {
      case .value: []
      case .hit, .note, .noteOff, .receipt, .late: message.arguments.prefix(2)
      default: message.arguments.prefix(1)
      }
    return arguments.reduce(into: message.address) { key, argument in
      switch argument {
      case .string(let text): key += "\u{0}\(text)"
      case .int32(let number): key += "\u{0}\(number)"
      default: break
      }
    }
  }

  func complete(_ scene: QueryScene) {
    let difference = scene.complete(tree)
    let questions = scene.questions
    scene.questions = []
    for question in questions { answer(question, scene) }
    for listener in scene.listeners.values {
      begin(listener, in: scene)
      if !tellMove(of: listener, to: scene), let difference {
        tell(difference.nodes, difference.values, to: listener)
      }
    }
  }

  func tell(_ nodes: QueryDifference, _ values: [OSCMessage], to listener: QueryListener) {
    for path in nodes.removed { listener.tell(.pathRemoved(path)) }
    for path in nodes.added { listener.tell(.pathAdded(path)) }
    for path in nodes.changed { listener.tell(.pathChanged(path)) }
    for message in values where listener.covers(message.address) {
      put(message, key: message.address, for: listener)
    }
  }

  /// The view ended: its player left, or its room was closed. Its listeners get the next view of
  /// their connections.
  func gone(_ scene: QueryScene) {
    for (key, listener) in scene.listeners {
      listeners[key]?.tap = nil
      if scene.isKnown { listener.before = scene.view }
    }
    for question in scene.questions { askAgain(question) }
  }
}

extension Event {
  /// Whether the room tells the event 30 times a second at most, so that nothing is left to thin.
  fileprivate var isThinned: Bool {
    switch self {
    case .value(.light, _), .value(.soundingTempo, _), .value(.buildUpBars, _): true
    default: false
    }
  }
}
