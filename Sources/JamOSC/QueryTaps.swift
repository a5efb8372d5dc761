internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamRoom
internal import JamWire

/// The room thread's side of OSCQuery: reads rooms in small pieces, takes their events, and hands
/// both to the desk, which does everything else on another thread.
///
/// A tap is one view: a room as one player sees it, or as somebody sees it who only looks. A room
/// has an outlet here only while it has taps, so that others pay nothing.
/// Thread: the room thread.
final class QueryTaps: RoomOutlet, RoomThreadClient, @unchecked Sendable {
  // Unchecked: confined to the room thread.
  private let edge: OSCEdge
  /// Takes news; false where too much is under way already.
  private let hand: ([QueryNews]) -> Bool
  private var taps: [Int: Tap] = [:]
  private var lastTap = 0
  /// The rooms that tell their events here, each with its taps.
  private var rooms: [ObjectIdentifier: RoomTaps] = [:]
  /// The taps that are being read, one after the other.
  private var reading: [Int] = []
  /// The connections whose views follow the players that they play, each with its present tap.
  private var followers: [ObjectIdentifier: (connection: StreamConnection, tap: Int?)] = [:]
  private var nextLook = HostTime(nanoseconds: 0)
  private var news: [QueryNews] = []
  private var nextHandover = HostTime(nanoseconds: 0)

  private struct Tap {
    let room: Room
    let player: PlayerID?
    /// The settings that are still to be read; nil where nothing is being read.
    var owed: ArraySlice<Setting>?
    var hasMissed = false
  }

  /// The taps of one room. An event for everybody is one piece of news for all of them.
  private struct RoomTaps {
    var all: [Int] = []
    /// Those to which somebody listens. They are told more than values.
    var heard: [Int] = []
  }

  /// The values that one turn reads. Each takes one or two microseconds.
  private static let valuesOfTurn = 24
  static let mostTaps = 1_280
  /// The news that may wait. Events beyond are left out, and the view is read again.
  private static let mostNews = 4_096
  private static let lookMilliseconds = 100.0

  init(edge: OSCEdge, hand: @escaping ([QueryNews]) -> Bool) {
    self.edge = edge
    self.hand = hand
  }

  // MARK: The desk's orders

  /// Finds the view that a question is about.
  /// - Parameters:
  ///   - room: nil is the main room.
  ///   - asker: a player by its name, or the guest of a host.
  func find(_ room: PlayerName?, _ asker: QueryQuestion.Asker, for question: Int) {
    guard let room = edge.registry.room(room) else {
      return news.append(.found(question: question, tap: nil))
    }
    let player: PlayerID?
    switch asker {
    case .player(let name):
      player = room.assumeIsolated { $0.player(named: name) }
      guard player != nil else { return news.append(.found(question: question, tap: nil)) }
    case .host(let host): player = host.flatMap { edge.guests.player(ofHost: $0.host, in: room) }
    }
    news.append(.found(question: question, tap: tap(room, player)))
  }

  /// Follows the player that the connection plays, until the connection ends.
  func follow(_ connection: StreamConnection) {
    followers[ObjectIdentifier(connection)] = (connection, nil)
    nextLook = HostTime(nanoseconds: 0)
  }

  func forget(_ connection: StreamConnection) { followers[ObjectIdentifier(connection)] = nil }

  /// Whether anybody listens to the view.
  func hear(_ tap: Int, _ isHeard: Bool) {
    guard let room = taps[tap]?.room else { return }
    rooms[ObjectIdentifier(room)]?.heard.removeAll { $0 == tap }
    if isHeard { rooms[ObjectIdentifier(room)]?.heard.append(tap) }
  }

  /// Reads a view again.
  func read(_ tap: Int) {
    guard let known = taps[tap] else { return }
    let settings = known.room.assumeIsolated { [player = known.player] in
      $0.readable(by: player) + $0.readableSeats
    }
    let (asker, name) = known.room.assumeIsolated { [player = known.player] room in
      let person = player.flatMap { room.player($0) }
      return (person.map { $0.isHost ? QueryView.Asker.host : .player } ?? .anybody, person?.name)
    }
    taps[tap]?.owed = settings[...]
    if !reading.contains(tap) { reading.append(tap) }
    taps[tap]?.hasMissed = false
    news.append(.begins(tap: tap, asker, player: name, known.room))
    let kits = known.room.assumeIsolated { $0.listedKits }
    let instruments = known.room.instruments.all
    news.append(
      .listed(tap: tap, kits.map { "/kit/\($0)" } + instruments.map { "/instrument/\($0.id)" }))
  }

  /// Nobody uses the view any more.
  func close(_ tap: Int) {
    guard let room = taps.removeValue(forKey: tap)?.room else { return }
    reading.removeAll { $0 == tap }
    let key = ObjectIdentifier(room)
    rooms[key]?.heard.removeAll { $0 == tap }
    rooms[key]?.all.removeAll { $0 == tap }
    guard rooms[key]?.all.isEmpty == true else { return }
    rooms[key] = nil
    room.assumeIsolated { $0.remove(self) }
  }

  private func tap(_ room: Room, _ player: PlayerID?) -> Int? {
    let key = ObjectIdentifier(room)
    if let known = rooms[key]?.all.first(where: { taps[$0]?.player == player }) { return known }
    guard taps.count < QueryTaps.mostTaps else { return nil }
    if rooms[key] == nil { room.assumeIsolated { $0.add(self) } }
    lastTap += 1
    rooms[key, default: RoomTaps()].all.append(lastTap)
    taps[lastTap] = Tap(room: room, player: player)
    read(lastTap)
    return lastTap
  }

  /// The news that wait to be handed over.
  var waiting: Int { news.count }

  // MARK: The clock

  var deadline: HostTime {
    if news.count < QueryTaps.mostNews, !reading.isEmpty { return HostTime(nanoseconds: 0) }
    var next = HostTime(nanoseconds: .max)
    if !news.isEmpty { next = nextHandover }
    if !followers.isEmpty { next = min(next, nextLook) }
    return next
  }

  func turn(at now: HostTime) {
    if !followers.isEmpty, now >= nextLook { look(at: now) }
    if news.count < QueryTaps.mostNews, let tap = reading.first { readPiece(of: tap) }
    guard !news.isEmpty else { return }
    if hand(news) { news.removeAll(keepingCapacity: news.count <= 256) }
    nextHandover = now.advanced(byMilliseconds: 1)
  }

  private func readPiece(of number: Int) {
    guard let tap = taps[number], let owed = tap.owed else {
      return reading.removeAll { $0 == number }
    }
    let some = owed.prefix(QueryTaps.valuesOfTurn)
    guard !some.isEmpty else {
      taps[number]?.owed = nil
      reading.removeAll { $0 == number }
      let events = tap.room.assumeIsolated { [player = tap.player] in $0.readableEvents(by: player)
      }
      news.append(.told(tap: number, events))
      return news.append(.complete(tap: number))
    }
    taps[number]?.owed = owed.dropFirst(some.count)
    let values = tap.room.assumeIsolated { [player = tap.player] in $0.values(of: some, for: player)
    }
    news.append(.told(tap: number, values))
  }

  /// Looks for connections that play another player than before: they said `/hello`, or played as a
  /// guest.
  private func look(at now: HostTime) {
    nextLook = now.advanced(byMilliseconds: QueryTaps.lookMilliseconds)
    for (key, follower) in followers {
      guard let endpoint = edge.table.endpoint(of: follower.connection) else {
        // The connection is over, and the order to forget it was lost or comes later.
        followers[key] = nil
        continue
      }
      guard let room = edge.registry.room(endpoint.home),
        let tap = tap(room, player(of: endpoint, in: room)), tap != follower.tap
      else { continue }
      followers[key]?.tap = tap
      news.append(.placed(follower.connection, origin: endpoint.origin, tap: tap))
    }
  }

  /// The player of a connection. One that plays nothing itself sees with the eyes of its host's
  /// guest: a client reads by its WebSocket, and plays by UDP.
  private func player(of endpoint: Endpoint, in room: Room) -> PlayerID? {
    edge.place(of: endpoint, in: room)?.player
      ?? edge.guests.player(ofHost: endpoint.host, in: room)
  }

  // MARK: The rooms' events

  func room(_ room: Room, tells event: Event, to audience: Audience, cause: Cause) {
    guard audience != .asker, let topic = event.topic, let known = rooms[ObjectIdentifier(room)]
    else { return }
    let those = topic == .state || topic == .seats ? known.all : known.heard
    switch audience {
    case .asker: break
    case .everybody: tell(event, to: those, cause)
    case .player(let player):
      if let own = those.first(where: { taps[$0]?.player == player }) {
        tell(event, to: [own], cause)
      }
    }
  }

  private func tell(_ event: Event, to those: [Int], _ cause: Cause) {
    guard !those.isEmpty else { return }
    guard news.count < QueryTaps.mostNews else {
      for number in those where taps[number]?.hasMissed == false {
        taps[number]?.hasMissed = true
        news.append(.missed(tap: number))
      }
      return
    }
    news.append(.event(taps: those, event, origin: cause.origin, setting: cause.setting))
  }

  func room(
    _ room: Room, lost player: PlayerID, named name: PlayerName, kickedBy host: PlayerName?,
    cause: Cause
  ) {
    for number in rooms[ObjectIdentifier(room)]?.all ?? [] where taps[number]?.player == player {
      end(number)
    }
  }

  func isWatching(_ room: Room) -> Bool { rooms[ObjectIdentifier(room)]?.heard.isEmpty == false }

  func closed(_ room: Room) {
    for number in rooms[ObjectIdentifier(room)]?.all ?? [] { end(number) }
  }

  private func end(_ number: Int) {
    close(number)
    for (key, follower) in followers where follower.tap == number { followers[key]?.tap = nil }
    nextLook = HostTime(nanoseconds: 0)
    news.append(.gone(tap: number))
  }
}
