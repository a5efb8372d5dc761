internal import JamCore
internal import JamWire
internal import NIOCore

/// A view that the desk knows: a room as one player sees it, or as somebody sees it who only looks.
///
/// Thread: the desk's event loop.
final class QueryScene {
  let tap: Int
  private(set) var view = QueryView(asker: .anybody)
  /// The view as it was read last. Clients were told of its nodes.
  private var base = QueryView(asker: .anybody)
  /// The view that is being read anew.
  private var next: QueryView?
  private(set) var player: PlayerName?
  private(set) var isKnown = false
  /// Whether something happened that adds nodes or takes them away.
  private(set) var isStale = false
  /// When it was ordered to be read again; nil where it was read since.
  var ordered: NIODeadline?
  /// New addresses for which the view was read again. A value that is told, and cannot be read, is
  /// sought once.
  private var sought: Set<String> = []
  private static let mostSought = 4_096
  /// The layers of the player's loop.
  private var layers = 0
  /// The last answers about the whole tree, as long as they are true.
  var roots: [QueryStyle: QueryAnswer] = [:]
  var listeners: [ObjectIdentifier: QueryListener] = [:]
  var questions: [QueryQuestion] = []
  var lastUsed: NIODeadline
  /// Readings cost the room thread some milliseconds each.
  private var readings: TokenBucket

  static let readingsAtOnce = 5.0
  static let readingsPerSecond = 10.0

  init(_ tap: Int, at now: NIODeadline) {
    self.tap = tap
    lastUsed = now
    readings = TokenBucket(
      perSecond: QueryScene.readingsPerSecond, burst: QueryScene.readingsAtOnce,
      at: QueryListener.time(now))
  }

  /// Whether the view may be read again now; it then counts as read.
  func takeReading(at now: NIODeadline) -> Bool { readings.take(at: QueryListener.time(now)) }

  /// - Parameter titles: the names of kits and instruments, by their addresses.
  func begins(
    _ asker: QueryView.Asker, player: PlayerName?, titles: [String: String]
  ) {
    next = QueryView(asker: asker)
    next?.titles = titles
    self.player = player
    isStale = false
  }

  /// The room lists these kits and instruments, by their addresses.
  func lists(_ addresses: [String]) { next?.listed = addresses }

  /// Takes in messages that are values of the view.
  func hear(_ messages: [OSCMessage], isRead: Bool = false) {
    for message in messages {
      next?.hear(message)
      guard !isRead else { continue }
      if isKnown, view.values[message.address] == nil, sought.count < QueryScene.mostSought,
        sought.insert(message.address).inserted
      {
        isStale = true
      }
      view.hear(message)
      roots = [:]
    }
  }

  /// All of the view has come.
  /// - Returns: the nodes that differ from those that clients were told of, and the values that
  ///   differ from those before; nil where this is the first reading, and where nobody listens.
  func complete(_ tree: QueryTree) -> (nodes: QueryDifference, values: [OSCMessage])? {
    guard let next else { return nil }
    let old = view
    let nodes = isKnown && !listeners.isEmpty ? tree.difference(from: base, to: next) : nil
    view = next
    base = next
    sought = sought.filter { next.values[$0] == nil }
    self.next = nil
    roots = [:]
    ordered = nil
    isKnown = true
    return nodes.map { ($0, QueryScene.values(of: next, from: old)) }
  }

  /// The values that differ from those of an older view.
  static func values(of view: QueryView, from old: QueryView) -> [OSCMessage] {
    view.values.compactMap { address, arguments in
      old.values[address] == arguments ? nil : OSCMessage(address, arguments)
    }
  }

  func changes() { isStale = true }

  /// Whether the event's messages are values of the view. The loop, the latency and the light are
  /// those of the view's own player.
  func holds(_ event: Event) -> Bool {
    switch event {
    case .value, .buildUp, .votes, .journal, .project, .take, .takePlaying, .levellerGain: true
    case .playerLoop(let report): report.player == player
    case .playerLatency(let name, _), .playerLight(let name, _), .playerAway(let name, _):
      name == player
    default: false
    }
  }

  /// Whether the event may add nodes or take them away, or change what they are.
  func isMoved(by event: Event) -> Bool {
    switch event {
    case .playerGone, .kitItem, .kitGone, .loopLayer: return true
    case .playerLoop(let report):
      guard report.player == player, report.layers != layers else { return false }
      layers = report.layers
      return true
    case .value(let setting, _):
      // The own role decides what may be set; names come with kits and instruments.
      return switch setting {
      case .roleOf(let name): name == player
      case .kit, .instrument, .lock: true
      default: false
      }
    default: return false
    }
  }
}
