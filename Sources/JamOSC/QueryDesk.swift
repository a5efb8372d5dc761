internal import JamCore
internal import JamNet
internal import JamRoom
internal import JamWire
internal import NIOCore
internal import Synchronization

/// Answers clients of OSCQuery: questions about the tree, and the commands of their WebSockets.
///
/// The desk keeps a copy of each view that somebody uses. `QueryTaps` brings it, and every change of
/// it, from the room thread. All other work is done here, so that no hit waits for a client.
///
/// Thread: its event loop; the members that say so any.
final class QueryDesk: @unchecked Sendable {
  // Unchecked: confined to the event loop, but for what is constant and `underWay`.
  let loop: any EventLoop
  private let tree: QueryTree
  private let clock: ServerClock
  private let counters: OSCCounters
  private var orders: (any QueryOrders)?
  private var scenes: [Int: QueryScene] = [:]
  private var questions: [Int: QueryQuestion] = [:]
  private var lastQuestion = 0
  private var listeners: [ObjectIdentifier: (listener: QueryListener, tap: Int?)] = [:]
  /// The views that the present news are about.
  private var touched: Set<Int> = []
  private var isLooking = false
  /// The news that the loop did not take yet. Thread: any.
  private let underWay = Atomic<Int>(0)

  /// The questions that may wait at once.
  static let mostQuestions = 512
  private static let mostTries = 3
  /// The lots of news that may be under way from the room thread.
  private static let mostUnderWay = 16
  private static let paceNanoseconds = TellPace.nanoseconds
  /// How soon a view is read again after something moved in it.
  private static let readMilliseconds: Int64 = 100
  /// How long a view that nobody listens to is kept.
  private static let keptSeconds: Int64 = 20
  private static let patienceSeconds: Int64 = 5

  init(
    on loop: any EventLoop, clock: ServerClock, counters: OSCCounters, tree: QueryTree = .standard
  ) {
    self.loop = loop
    self.clock = clock
    self.counters = counters
    self.tree = tree
  }

  /// Sets who carries out its orders on the room thread. Call it before anything else.
  func use(_ orders: any QueryOrders) { self.orders = orders }

  // MARK: Thread: any

  /// Answers a question about the tree.
  /// - Parameters:
  ///   - room: nil is the main room.
  ///   - answered: is called once, on the desk's event loop: with nil where there is no such view,
  ///     or too many questions wait.
  func answer(
    _ room: PlayerName?, _ asker: QueryQuestion.Asker, path: String, wish: QueryWish?,
    _ answered: @escaping @Sendable (QueryAnswer?) -> Void
  ) {
    let question = QueryQuestion(room: room, asker: asker, path: path, wish: wish, answered: answered)
    loop.execute { [self] in ask(question) }
  }

  /// A client of OSCQuery has opened a WebSocket.
  func opened(_ connection: StreamConnection) {
    loop.execute { [self] in
      let listener = QueryListener(connection, at: loop.now)
      listeners[ObjectIdentifier(connection)] = (listener, nil)
      orders?.follow(connection)
    }
  }

  func received(_ text: [UInt8], from connection: StreamConnection) {
    loop.execute { [self] in
      guard let (listener, tap) = listeners[ObjectIdentifier(connection)] else { return }
      obey(text, listener, in: tap.flatMap { scenes[$0] })
    }
  }

  func closed(_ connection: StreamConnection) {
    loop.execute { [self] in
      guard let (_, tap) = listeners.removeValue(forKey: ObjectIdentifier(connection)) else { return }
      leave(ObjectIdentifier(connection), tap)
      orders?.forget(connection)
    }
  }

  /// Takes news of the room thread.
  /// - Returns: false where too much is under way already. The news are then the caller's still.
  func hear(_ news: [QueryNews]) -> Bool {
    guard underWay.load(ordering: .relaxed) < QueryDesk.mostUnderWay else { return false }
    underWay.wrappingAdd(1, ordering: .relaxed)
    loop.execute { [self] in
      underWay.wrappingSubtract(1, ordering: .relaxed)
      touched.removeAll(keepingCapacity: true)
      for item in news { take(item) }
      for tap in touched { if let scene = scenes[tap] { settle(scene) } }
    }
    return true
  }

  // MARK: Questions

  private func ask(_ question: QueryQuestion) {
    guard let orders, questions.count < QueryDesk.mostQuestions, question.tries < QueryDesk.mostTries else {
      return question.answered(nil)
    }
    lastQuestion += 1
    questions[lastQuestion] = question
    let number = lastQuestion
    guard orders.find(question.room, question.asker, for: number) else {
      questions[number] = nil
      return question.answered(nil)
    }
  }

  private func askAgain(_ question: QueryQuestion) {
    var question = question
    question.tries += 1
    ask(question)
  }

  private func found(_ question: QueryQuestion, _ tap: Int?) {
    guard let tap else { return question.answered(nil) }
    // The view was closed here while it was found there.
    guard let scene = scenes[tap] else { return askAgain(question) }
    scene.lastUsed = loop.now
    guard !scene.isKnown || scene.isStale else { return answer(question, scene) }
    guard scene.questions.count < QueryDesk.mostQuestions else { return question.answered(nil) }
    scene.questions.append(question)
    if scene.isKnown { readSoon(scene) }
  }

  /// Reads a view again, a moment after the last reading.
  private func readSoon(_ scene: QueryScene) {
    // An order is lost where the room thread has too much to do.
    if let ordered = scene.ordered, loop.now < ordered + .seconds(QueryDesk.patienceSeconds) { return lookLater() }
    guard loop.now >= scene.lastRead + .milliseconds(QueryDesk.readMilliseconds) else { return lookLater() }
    scene.ordered = loop.now
    orders?.read(scene.tap)
  }

  private func answer(_ question: QueryQuestion, _ scene: QueryScene) {
    let isRoot = question.path == "/" && question.wish == .node
    if isRoot, let root = scene.root { return question.answered(root) }
    let answer = tree.answer(path: question.path, wish: question.wish, view: scene.view)
    if isRoot { scene.root = answer }
    question.answered(answer)
  }

  // MARK: News

  private func take(_ news: QueryNews) {
    switch news {
    case .found(let number, let tap):
      if let question = questions.removeValue(forKey: number) { found(question, tap) }
    case .placed(let connection, let origin, let tap):
      listeners[ObjectIdentifier(connection)]?.listener.origin = origin
      if let scene = scenes[tap] { place(connection, in: scene) } else { orders?.follow(connection) }
    case .begins(let tap, let asker, let player, let room):
      touched.insert(tap)
      scene(tap).begins(asker, player: player, titles: QueryDesk.titles(of: room), at: loop.now)
    case .told(let tap, let events):
      guard let scene = scenes[tap] else { return }
      for event in events where scene.holds(event) { scene.hear(messages(event), isRead: true) }
    case .complete(let tap):
      touched.insert(tap)
      if let scene = scenes[tap] { complete(scene) }
    case .event(let tap, let event, let origin, let setting):
      touched.insert(tap)
      if let scene = scenes[tap] { take(event, scene, origin, setting) }
    case .missed(let tap):
      counters.unsent.wrappingAdd(1, ordering: .relaxed)
      touched.insert(tap)
      scenes[tap]?.changes()
    case .gone(let tap): if let scene = scenes.removeValue(forKey: tap) { gone(scene) }
    }
  }

  private static func titles(of room: Room) -> [String: String] {
    var titles: [String: String] = [:]
    for kit in room.kits { titles["/kit/\(kit.id)"] = kit.name }
    for instrument in room.instruments.all { titles["/instrument/\(instrument.id)"] = instrument.name }
    return titles
  }

  private func scene(_ tap: Int) -> QueryScene {
    if let known = scenes[tap] { return known }
    let scene = QueryScene(tap, at: loop.now)
    scenes[tap] = scene
    return scene
  }

  /// A bundle that is told ahead of its moment has no messages here: they say nothing without it.
  private func messages(_ event: Event) -> [OSCMessage] {
    let feedback = AddressTable.standard.feedback(for: event, clock: clock)
    return feedback.timetag == nil ? feedback.messages : []
  }

  private func take(_ event: Event, _ scene: QueryScene, _ origin: Origin, _ setting: Setting?) {
    let holds = scene.holds(event)
    guard holds || !scene.listeners.isEmpty else {
      if scene.isMoved(by: event) { scene.changes() }
      return
    }
    let messages = messages(event)
    if holds { scene.hear(messages) }
    if scene.isMoved(by: event) { scene.changes() }
    for listener in scene.listeners.values {
      if case .value(let told, _) = event, told == setting, listener.origin == origin { continue }
      for message in messages where listener.covers(message.address) {
        put(message, key: QueryDesk.key(of: message, event), for: listener)
      }
    }
  }

  /// Values at one address replace each other. Other events do so where they are about the same
  /// player, and the same pad or key.
  private static func key(of message: OSCMessage, _ event: Event) -> String {
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

  private func complete(_ scene: QueryScene) {
    let difference = scene.complete(tree)
    let questions = scene.questions
    scene.questions = []
    for question in questions { answer(question, scene) }
    for listener in scene.listeners.values {
      begin(listener, in: scene)
      if let difference { tell(difference.nodes, difference.values, to: listener) }
    }
  }

  private func tell(_ nodes: QueryDifference, _ values: [OSCMessage], to listener: QueryListener) {
    for path in nodes.removed { listener.tell(.pathRemoved(path)) }
    for path in nodes.added { listener.tell(.pathAdded(path)) }
    for path in nodes.changed { listener.tell(.pathChanged(path)) }
    for message in values where listener.covers(message.address) {
      put(message, key: message.address, for: listener)
    }
  }

  /// The view ended: its player left, or its room was closed. Whoever listened to it follows the
  /// connection's next view.
  private func gone(_ scene: QueryScene) {
    for key in scene.listeners.keys { listeners[key]?.tap = nil }
    for question in scene.questions { askAgain(question) }
  }

  // MARK: Listeners

  /// The connection's view is this one from now on.
  private func place(_ connection: StreamConnection, in scene: QueryScene) {
    touched.insert(scene.tap)
    let key = ObjectIdentifier(connection)
    guard let (listener, old) = listeners[key] else { return }
    let before = old.flatMap { scenes[$0] }
    leave(key, old)
    listeners[key]?.tap = scene.tap
    scene.listeners[key] = listener
    orders?.hear(scene.tap, true)
    guard scene.isKnown else { return }
    begin(listener, in: scene)
    guard let before, before.isKnown else { return }
    tell(
      tree.difference(from: before.view, to: scene.view), QueryScene.values(of: scene.view, from: before.view),
      to: listener)
  }

  private func leave(_ key: ObjectIdentifier, _ tap: Int?) {
    guard let tap, let scene = scenes[tap], scene.listeners.removeValue(forKey: key) != nil else { return }
    scene.lastUsed = loop.now
    if scene.listeners.isEmpty { orders?.hear(tap, false) }
  }

  /// Carries out the commands that came before the view was known.
  private func begin(_ listener: QueryListener, in scene: QueryScene) {
    let early = listener.early
    listener.early = []
    for command in early { carryOut(command, listener, in: scene) }
  }

  private func obey(_ text: [UInt8], _ listener: QueryListener, in scene: QueryScene?) {
    do throws(QueryCommandError) {
      let command = try QueryCommand(text)
      if let scene, scene.isKnown {
        carryOut(command, listener, in: scene)
        settle(listener)
      } else if listener.early.count < QueryListener.mostEarly {
        listener.early.append(command)
      } else {
        refuse(listener, "too many commands before the first answer: wait for it")
      }
    } catch {
      refuse(listener, error.description)
    }
  }

  private func carryOut(_ command: QueryCommand, _ listener: QueryListener, in scene: QueryScene) {
    switch command {
    case .listen(let path):
      guard path.utf8.count <= QueryListener.mostBytes, tree.contains(path, in: scene.view) else {
        return refuse(listener, "there is nothing at \(path.prefix(64)): GET / lists all that is there")
      }
      guard listener.listen(to: path) else {
        return refuse(listener, "a connection listens to \(QueryListener.mostPaths) paths at most: IGNORE some")
      }
      for message in tree.values(at: path, in: scene.view) { put(message, key: message.address, for: listener) }
    case .ignore(let path): listener.ignore(path)
    }


  private func put(_ message: OSCMessage, key: String, for listener: QueryListener) {
    if !listener.put(message, key: key) { counters.unsent.wrappingAdd(1, ordering: .relaxed) }
  }

  private func refuse(_ listener: QueryListener, _ reason: String) {
    counters.refused.wrappingAdd(1, ordering: .relaxed)
    listener.tell(.error(reason))
    listener.flush()
  }

  // MARK: The clock

  /// Does what is due for a view after its news.
  private func settle(_ scene: QueryScene) {
    for listener in scene.listeners.values { settle(listener) }
    if scene.isStale || scene.listeners.isEmpty { lookLater() }
  }

  /// Tells what waits, at once after a quiet time, and otherwise 30 times a second.
  private func settle(_ listener: QueryListener) {
    if listener.hasTexts { listener.flush() }
    guard listener.isWaiting, !listener.isScheduled else { return }
    let now = loop.now
    if now >= listener.due {
      listener.tell()
      listener.due = now + .nanoseconds(QueryDesk.paceNanoseconds)
    }
    guard listener.isWaiting else { return }
    listener.isScheduled = true
    let key = ObjectIdentifier(listener.connection)
    loop.scheduleTask(deadline: listener.due) { [weak self] in
      guard let listener = self?.listeners[key]?.listener else { return }
      listener.isScheduled = false
      self?.settle(listener)
    }
  }

  private func lookLater() {
    guard !isLooking else { return }
    isLooking = true
    loop.scheduleTask(in: .milliseconds(QueryDesk.readMilliseconds)) { [weak self] in self?.look() }
  }

  /// Reads again what has moved, and forgets what nobody uses.
  private func look() {
    isLooking = false
    let now = loop.now
    for (tap, scene) in scenes {
      // A view that nobody looks at is read again when somebody asks.
      if scene.isStale, scene.isKnown, !scene.listeners.isEmpty || !scene.questions.isEmpty { readSoon(scene) }
      if scene.listeners.isEmpty, scene.questions.isEmpty, now > scene.lastUsed + .seconds(QueryDesk.keptSeconds) {
        scenes[tap] = nil
        orders?.close(tap)
      }
    }
    if scenes.values.contains(where: { $0.isStale || $0.listeners.isEmpty }) { lookLater() }
  }
}

/// What the desk orders on the room thread.
///
/// Thread: any; each is carried out in its order, a moment later.
protocol QueryOrders: Sendable {
  /// - Returns: false where the room thread has too much to do.
  func find(_ room: PlayerName?, _ asker: QueryQuestion.Asker, for question: Int) -> Bool
  func follow(_ connection: StreamConnection)
  func forget(_ connection: StreamConnection)
  func hear(_ tap: Int, _ isHeard: Bool)
  func read(_ tap: Int)
  func close(_ tap: Int)
}
