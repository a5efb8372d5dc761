internal import JamCore
internal import JamRoom
internal import JamWire
internal import NIOCore

/// A connection of OSCQuery: the paths that it listens to, and the values that wait to be told.
///
/// Thread: the desk's event loop.
final class QueryListener {
  let connection: StreamConnection
  /// The connection's number at the edge. Its own changes are not echoed to it.
  var origin = Origin.none
  private(set) var paths: Set<String> = []
  /// The view that the client knows, while the one that follows is not known yet.
  var before: QueryView?
  /// Commands that came before the view was known.
  var early: [QueryCommand] = []
  /// The latest message of each kind, in the order in which they first changed.
  private var waiting: [String: OSCMessage] = [:]
  private var order: [String] = []
  /// When values may be told again.
  var due: NIODeadline
  /// The kinds of messages that were told since values were told last, and how many of them early.
  private var told: Set<String> = []
  private var toldEarly = 0
  /// Whether a task will look at this listener.
  var isScheduled = false
  /// Whether something was told that waits for a flush.
  private(set) var hasToFlush = false
  /// The values that `LISTEN` may bring at once. A change costs nothing here.
  private var asked: TokenBucket

  /// The paths that one connection may listen to, and the commands that may wait for its view.
  static let mostPaths = 4_096
  static let mostEarly = 256
  private static let mostWaiting = 16_384
  /// The longest path, in bytes.
  static let mostBytes = 1_024
  /// The values of about 40 whole trees, then of 5 a second.
  static let valuesAtOnce = 65_536
  private static let valuesPerSecond = 8_192
  /// The messages that are told in a row.
  private static let mostAtOnce = 256
  /// Each of them may be a packet of its own.
  private static let mostToldEarly = 8

  init(_ connection: StreamConnection, at now: NIODeadline) {
    self.connection = connection
    due = now
    asked = TokenBucket(
      perSecond: Double(QueryListener.valuesPerSecond), burst: Double(QueryListener.valuesAtOnce),
      at: QueryListener.time(now))
  }

  /// Whether `LISTEN` may bring values now.
  func mayAsk(at now: NIODeadline) -> Bool { asked.holds(at: QueryListener.time(now)) }

  /// `LISTEN` has brought so many values.
  func charge(values: Int) { asked.charge(Double(values)) }

  static func time(_ deadline: NIODeadline) -> HostTime {
    HostTime(nanoseconds: Int64(clamping: deadline.uptimeNanoseconds))
  }

  /// - Returns: false where it listens to too many paths already.
  func listen(to path: String) -> Bool {
    guard paths.contains(path) || paths.count < QueryListener.mostPaths else { return false }
    paths.insert(path)
    return true
  }

  func ignore(_ path: String) {
    paths.remove(path)
    for (key, message) in waiting where !covers(message.address) { waiting[key] = nil }
    order.removeAll { waiting[$0] == nil }
  }

  /// Whether it listens to the address, or to a branch that holds it.
  func covers(_ address: String) -> Bool {
    guard !paths.isEmpty else { return false }
    if paths.contains("/") || paths.contains(address) { return true }
    var rest = address[...]
    while let slash = rest.lastIndex(of: "/"), slash > rest.startIndex {
      rest = rest[..<slash]
      if paths.contains(String(rest)) { return true }
    }
    return false
  }

  /// Keeps a message until it is told. A newer one of the same kind replaces it.
  /// - Parameter key: its kind: the address, and for events what they are about.
  /// - Returns: false where too much waits already.
  func put(_ message: OSCMessage, key: String) -> Bool {
    guard waiting[key] != nil || waiting.count < QueryListener.mostWaiting else { return false }
    if waiting.updateValue(message, forKey: key) == nil { order.append(key) }
    return true
  }

  /// Tells a message with the next `flush`, ahead of those that wait.
  /// - Returns: false where an older one of its kind waits, or the reader is slow.
  func tellNow(_ message: OSCMessage, key: String) -> Bool {
    guard waiting[key] == nil, !connection.isCrowded, connection.put(message.encoded()) else {
      return false
    }
    hasToFlush = true
    return true
  }

  /// Tells a message between two moments of telling, where none of its kind was told since the last
  /// one: a fader that somebody takes hold of does not wait for the positions' pace.
  /// - Returns: false where the message has to wait.
  func tellEarly(_ message: OSCMessage, key: String, at now: NIODeadline) -> Bool {
    guard now < due, toldEarly < QueryListener.mostToldEarly, !told.contains(key),
      tellNow(message, key: key)
    else { return false }
    toldEarly += 1
    told.insert(key)
    return true
  }

  var isWaiting: Bool { !waiting.isEmpty }

  /// Tells what waits, as far as the reader takes it. The rest waits on, and newer values replace
  /// it.
  func tell() {
    told.removeAll(keepingCapacity: true)
    toldEarly = 0
    for key in order.prefix(QueryListener.mostAtOnce) {
      guard !connection.isCrowded, let message = waiting[key], connection.put(message.encoded())
      else { break }
      waiting[key] = nil
      told.insert(key)
    }
    order.removeFirst(told.count)
    flush()
  }

  /// Tells a text with the next `flush`.
  func tell(_ notice: QueryNotice) {
    hasToFlush = true
    _ = connection.put(text: notice.json)
  }

  func flush() {
    hasToFlush = false
    connection.flush()
  }
}
