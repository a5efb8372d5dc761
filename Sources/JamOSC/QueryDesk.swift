internal import JamCore
internal import JamNet
internal import JamRoom
internal import JamWire
internal import NIOCore
internal import Synchronization

/// Answers clients of OSCQuery: questions about the tree, and the commands of their WebSockets.
///
/// The desk keeps a copy of each view that somebody uses. `QueryTaps` brings it, and each change,
/// from the room thread. All other work is done here, so that no hit waits for a client.
///
/// Thread: its event loop; the members that say so any.
final class QueryDesk: @unchecked Sendable {
  // Unchecked: confined to the event loop, but for what is constant and `underWay`.
  let loop: any EventLoop
  let tree: QueryTree
  let clock: ServerClock
  let counters: OSCCounters
  var orders: (any QueryOrders)?
  var scenes: [Int: QueryScene] = [:] {
    didSet { counters.queryViews.store(scenes.count, ordering: .relaxed) }
  }
  var questions: [Int: QueryQuestion] = [:]
  private var lastQuestion = 0
  var listeners: [ObjectIdentifier: (listener: QueryListener, tap: Int?)] = [:] {
    didSet { counters.queryClients.store(listeners.count, ordering: .relaxed) }
  }
  /// The views that the present news are about.
  var touched: Set<Int> = []
  private var isLooking = false
  /// The news that the loop did not take yet. Thread: any.
  private let underWay = Atomic<Int>(0)

  /// The questions that may wait at once.
  static let mostQuestions = 512
  private static let mostTries = 3
  /// The lots of news that may be under way from the room thread.
  private static let mostUnderWay = 16
  private static let paceNanoseconds = TellPace.nanoseconds
  /// How soon a view with listeners is read again after something moved in it.
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
    style: QueryStyle = .full, _ answered: @escaping @Sendable (QueryAnswer?) -> Void
  ) {
    let question = QueryQuestion(
      room: room, asker: asker, path: path, wish: wish, style: style, answered: answered)
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
      guard let (_, tap) = listeners.removeValue(forKey: ObjectIdentifier(connection)) else {
        return
      }
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

  /// Tells nobody anything any more: the connections' loops are about to end.
  func stop() {
    loop.execute { [self] in
      orders = nil
      listeners = [:]
      scenes = [:]
      for question in questions.values { question.answered(nil) }
      questions = [:]
    }
  }

  // MARK: Questions

  func ask(_ question: QueryQuestion) {
    guard let orders, questions.count < QueryDesk.mostQuestions,
      question.tries < QueryDesk.mostTries
    else {
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

  func askAgain(_ question: QueryQuestion) {
    var question = question
    question.tries += 1
    ask(question)
  }

  func found(_ question: QueryQuestion, _ tap: Int?) {
    guard let tap else { return question.answered(nil) }
    // The view was closed here while it was found there.
    guard let scene = scenes[tap] else { return askAgain(question) }
    scene.lastUsed = loop.now
    guard !scene.isKnown || scene.isStale else { return answer(question, scene) }
    guard scene.questions.count < QueryDesk.mostQuestions else { return question.answered(nil) }
    scene.questions.append(question)
    if scene.isKnown { readSoon(scene) }
  }

  /// Reads a view again: at once as a rule, and later where it was read often in a short time.
  func readSoon(_ scene: QueryScene) {
    // An order is lost where the room thread has too much to do.
    if let ordered = scene.ordered, loop.now < ordered + .seconds(QueryDesk.patienceSeconds) {
      return lookLater()
    }
    guard scene.takeReading(at: loop.now) else { return lookLater() }
    scene.ordered = loop.now
    orders?.read(scene.tap)
  }

  func answer(_ question: QueryQuestion, _ scene: QueryScene) {
    let isRoot = question.path == "/" && question.wish == .node
    if isRoot, let known = scene.roots[question.style] { return question.answered(known) }
    let answer = tree.answer(
      path: question.path, wish: question.wish, view: scene.view, style: question.style)
    if isRoot { scene.roots[question.style] = answer }
    question.answered(answer)
  }

  // MARK: The clock

  /// Does what is due for a view after its news.
  func settle(_ scene: QueryScene) {
    for listener in scene.listeners.values { settle(listener) }
    if scene.isStale || scene.listeners.isEmpty { lookLater() }
  }

  /// Tells what waits, at once after a quiet time, and otherwise 30 times a second.
  func settle(_ listener: QueryListener) {
    if listener.hasToFlush { listener.flush() }
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

  func lookLater() {
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
      if scene.isStale, scene.isKnown, !scene.listeners.isEmpty || !scene.questions.isEmpty {
        readSoon(scene)
      }
      if scene.listeners.isEmpty, scene.questions.isEmpty,
        now > scene.lastUsed + .seconds(QueryDesk.keptSeconds), orders?.close(tap) != false
      {
        scenes[tap] = nil
      }
    }
    if scenes.values.contains(where: { $0.isStale || $0.listeners.isEmpty }) { lookLater() }
  }
}
