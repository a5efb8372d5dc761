internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamRoom
internal import JamWire

/// Writes lines about messages, for those who watch the monitor: sender, message, outcome.
///
/// `begin` and `end` enclose the work on a message. Between them the edge says what it understood,
/// and `OutgoingPackets` which error it made. Nothing of this is called while nobody watches.
///
/// A watcher sees messages for its own room alone. A host sees those of everybody who is in the
/// room, or in no room yet. Anybody else sees those of the own player, and those of OSC programs at
/// the own network address. Nobody sees its own connection.
/// A machine without I/O. Thread: the room thread.
final class OSCMonitor {
  enum Verdict {
    /// The text is how the message was read; nil where there is no place for the line.
    case understood(String?)
    /// It was understood, but may have been meant otherwise.
    case noticed(String, code: String)
    case refused(String, code: String)
    /// It was left out, and had no error.
    case ignored(code: String)

    var isRefused: Bool { if case .refused = self { true } else { false } }
  }

  /// A line, and those who get it.
  struct Line {
    var message: OSCMessage
    var watchers: [Subscriber]
  }

  private struct Case {
    var endpoint: Endpoint
    /// Nil where the message could not be read.
    var message: OSCMessage?
    var address: String
    var arrival: HostTime
    var watchers: [Subscriber]
    var verdict: Verdict?
  }

  /// The server's main room: that of senders without one.
  var main: PlayerName?
  /// The subscribers to the monitor.
  private(set) var watchers: [Subscriber] = []
  private var watchersOfRooms: [PlayerName: [Subscriber]] = [:]
  private var present: Case?
  /// Limits the lines for all watchers together, so that their number costs the rooms no time.
  private var lines = TokenBucket(
    perSecond: OSCMonitor.linesPerSecond, burst: OSCMonitor.linesPerSecond,
    at: HostTime(nanoseconds: 0))

  static let linesPerSecond = 400.0
  /// Those who are no hosts and watch one room. Each message for the room asks all of them.
  static let mostWatchers = 64
  /// Sent by programs by themselves. Those that are understood are nobody's question.
  private static let quiet: Set<String> = ["/ping", "/hearing", "/frame", "/cookie"]
  /// The button came up, and its release has no effect.
  static let release = "release"
  /// A finger touches a control, or leaves it: `/1/fader1/z`.
  static let touch = "touch"
  /// The packet came twice within a moment; see `DoubleSendGuard`.
  static let repeated = "repeated"

  var isOn: Bool { !watchers.isEmpty }

  func use(_ watchers: [Subscriber]) {
    self.watchers = watchers
    watchersOfRooms = Dictionary(grouping: watchers) { $0.room.name }
  }

  /// Whether the destination may watch the room. A host always may, so that nobody can keep it from
  /// looking.
  /// - Parameter player: who watches there; nil is nobody who is in the room.
  func mayWatch(_ key: Subscriber.Key, _ room: Room, as player: PlayerID?) -> Bool {
    guard let others = watchersOfRooms[room.name], others.count >= OSCMonitor.mostWatchers,
      player.map({ player in room.assumeIsolated { [player] in $0.isHost(player) } }) != true
    else { return true }
    return others.count { $0.key != key && !OSCMonitor.seesAll($0) } < OSCMonitor.mostWatchers
  }

  /// Whether a line about the sender's next message has a place. A message without a place is
  /// counted.
  func hasPlace(for endpoint: Endpoint, at now: HostTime) -> Bool {
    let those = watchers(of: endpoint, in: endpoint.home ?? main)
    if those.contains(where: {
      $0.monitored.pace.holds(isRefused: true, from: endpoint.origin, at: now)
    }) {
      return true
    }
    leaveOut(of: endpoint)
    return false
  }

  /// A message of the endpoint is left out, and nothing more can be said of it.
  func leaveOut(of endpoint: Endpoint) {
    for watcher in watchers(of: endpoint, in: endpoint.home ?? main) {
      watcher.monitored.pace.leaveOut()
    }
  }

  func begin(_ message: OSCMessage, from endpoint: Endpoint, at arrival: HostTime) {
    let room = AddressTable.standard.room(namedBy: message) ?? endpoint.home ?? main
    present = Case(
      endpoint: endpoint, message: message, address: message.address, arrival: arrival,
      watchers: watchers(of: endpoint, in: room))
  }

  /// The message under way is left out.
  /// - Parameter code: the reason: `release`, `touch` or `repeated`.
  func ignored(_ code: String) {
    if present?.verdict == nil { present?.verdict = .ignored(code: code) }
  }

  /// The message under way was read.
  func understood(_ request: Request) {
    guard let present, present.verdict == nil, let message = present.message else { return }
    // Made first: the places are read of what is changed here.
    let reading = hasPlace(isRefused: false) ? MessageVeil.reading(request, of: message) : nil
    self.present?.verdict = .understood(reading)
  }

  /// The message under way could not be read.
  /// - Parameter near: finds the known address that may have been meant.
  func refused(_ error: WireError, near: (String) -> String?) {
    let reason = hasPlace(isRefused: true) ? MessageVeil.reason(error, near: near) : ""
    present?.verdict = .refused(reason, code: error.code.text)
  }

  /// The sender of the message under way was told how it was understood.
  /// - Parameter notice: `/notice` with the address, the text and the code.
  func noticed(_ notice: OSCMessage, of endpoint: Endpoint) {
    let texts = notice.arguments.compactMap(\.text)
    guard texts.count == 3 else { return }
    ends(with: .noticed(texts[1], code: texts[2]), of: endpoint)
  }

  /// The message under way has that outcome.
  func ends(with verdict: Verdict, of endpoint: Endpoint) {
    guard let present, present.endpoint === endpoint else { return }
    switch present.verdict {
    // The first reason is the reason.
    case .refused?: break
    default: self.present?.verdict = verdict
    }
  }

  /// Whether the text of an error of the endpoint is needed.
  func wantsReason(of endpoint: Endpoint, at now: HostTime) -> Bool {
    guard let present, present.endpoint === endpoint else {
      return hasPlace(for: endpoint, at: now)
    }
    guard present.verdict?.isRefused != true else { return false }
    return hasPlace(isRefused: true)
  }

  /// An error was made.
  /// - Parameter room: the room that refused; nil is the endpoint's own.
  /// - Returns: a line, where the error is of no message that is under way.
  func refused(
    _ endpoint: Endpoint, _ address: String, text: String, code: String, in room: PlayerName?,
    at now: HostTime
  ) -> Line? {
    // The text may repeat what was sent.
    let shown = MessageVeil.address(address)
    let text = shown == address ? text : ""
    if let present, present.endpoint === endpoint {
      ends(with: .refused(MessageVeil.printable(text), code: code), of: endpoint)
      return nil
    }
    return line(
      Case(
        endpoint: endpoint, address: address, arrival: now,
        watchers: watchers(of: endpoint, in: room ?? endpoint.home ?? main),
        verdict: .refused(MessageVeil.printable(text), code: code)))
  }

  /// The work on the message is done.
  func end() -> Line? {
    guard let done = present else { return nil }
    present = nil
    if case .understood? = done.verdict, OSCMonitor.quiet.contains(done.address) { return nil }
    return line(done)
  }

  // MARK: Rights

  /// Those who may see the sender's messages for that room.
  private func watchers(of endpoint: Endpoint, in room: PlayerName?) -> [Subscriber] {
    guard let room, let those = watchersOfRooms[room] else { return [] }
    return those.filter { $0.owner != endpoint.origin && sees($0, endpoint) }
  }

  private func sees(_ watcher: Subscriber, _ endpoint: Endpoint) -> Bool {
    let membership = endpoint.membership(in: watcher.room.name)
    if let player = watcher.player, let membership, membership.room === watcher.room,
      membership.player == player
    {
      return true
    }
    // Pages come through proxies, where several people have one address. OSC programs do not.
    let peer = watcher.transport.peer
    if peer.host == endpoint.host, !endpoint.transport.isWebSocket { return true }
    let isNowhere =
      endpoint.memberships.isEmpty && (endpoint.home ?? watcher.room.name) == watcher.room.name
    return (membership != nil || isNowhere) && OSCMonitor.seesAll(watcher)
  }

  /// Whether the watcher is a host at a proven address.
  static func seesAll(_ watcher: Subscriber) -> Bool {
    guard watcher.sendCredit == nil, let player = watcher.player else { return false }
    return watcher.room.assumeIsolated { $0.isHost(player) }
  }

  // MARK: Lines

  private func hasPlace(isRefused: Bool) -> Bool {
    guard let present else { return false }
    return present.watchers.contains {
      $0.monitored.pace.holds(
        isRefused: isRefused, from: present.endpoint.origin, at: present.arrival)
    }
  }

  private func line(_ done: Case) -> Line? {
    guard !done.watchers.isEmpty else { return nil }
    let verdict = done.verdict ?? .understood(nil)
    let mayWrite = lines.holds(at: done.arrival)
    let takers = done.watchers.filter {
      guard mayWrite else {
        $0.monitored.pace.leaveOut()
        return false
      }
      return $0.monitored.pace.takes(
        isRefused: verdict.isRefused, from: done.endpoint.origin, at: done.arrival)
    }
    guard let room = takers.first?.room, lines.take(at: done.arrival) else { return nil }
    let player = done.endpoint.membership(in: room.name)?.player
    let name = player.flatMap { player in
      room.assumeIsolated { [player] in $0.player(player)?.name.text }
    }
    let (word, reason, code) = OSCMonitor.words(verdict)
    let message = OSCMessage(
      "/monitor", .int64(room.anchor.frame(at: done.arrival).count),
      .string(done.endpoint.transport.peer.description),
      .string(name ?? ""), .string(done.endpoint.transport.word),
      .string(MessageVeil.printable(MessageVeil.address(done.address))),
      .string(done.message.map(MessageVeil.arguments) ?? ""), .string(word), .string(reason),
      .string(code))
    return Line(message: message, watchers: takers)
  }

  private static func words(_ verdict: Verdict) -> (word: String, reason: String, code: String) {
    switch verdict {
    case .understood(let reading): ("understood", reading ?? "", "")
    case .noticed(let text, let code): ("noticed", text, code)
    case .refused(let text, let code): ("refused", text, code)
    case .ignored(let code): ("ignored", "", code)
    }
  }
}

extension Transport {
  /// The word in a line of the monitor.
  fileprivate var word: String {
    switch self {
    case .datagram: "udp"
    case .stream(let connection): connection.isWebSocket ? "websocket" : "tcp"
    }
  }
}
