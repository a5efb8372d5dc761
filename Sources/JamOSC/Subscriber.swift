internal import JamCore
internal import JamNet
internal import JamRoom

/// Somewhere that feedback goes: an endpoint's own address, or another port of its host.
///
/// Thread: the room thread.
final class Subscriber {
  /// Whose controls these are: what it changes itself is not echoed to it.
  var owner: Origin
  let transport: Transport
  var topics: Topics
  let room: Room
  /// The player whose own values it is told; nil until its host has a guest.
  var player: PlayerID?
  var expires: HostTime
  /// What may go there while its address has not proven itself; nil is everything.
  var sendCredit: SendCredit?

  /// Values that changed and were not told yet: the latest wins.
  private(set) var waiting: [Setting: SettingValue] = [:]
  /// The order in which they changed first.
  private var order: [Setting] = []
  private var nextFlush: HostTime
  /// Events beside values that may go out in one flush interval.
  private var events: TokenBucket
  private(set) var dropped: UInt64 = 0

  private static let eventsAtOnce = 500.0
  static let flushNanoseconds: Int64 = 33_333_333

  init(
    owner: Origin, transport: Transport, topics: Topics, room: Room, player: PlayerID?, expires: HostTime,
    sendCredit: SendCredit? = nil, at now: HostTime
  ) {
    self.sendCredit = sendCredit
    self.owner = owner
    self.transport = transport
    self.topics = topics
    self.room = room
    self.player = player
    self.expires = expires
    nextFlush = now
    events = TokenBucket(perSecond: 2_000, burst: Subscriber.eventsAtOnce, at: now)
  }

  /// Keeps a value for the next flush.
  func put(_ setting: Setting, _ value: SettingValue) {
    if waiting.updateValue(value, forKey: setting) == nil { order.append(setting) }
  }

  /// Forgets a value that the owner has just set itself: telling it an older one would move its control.
  func forget(_ setting: Setting) {
    guard waiting.removeValue(forKey: setting) != nil else { return }
    order.removeAll { $0 == setting }
  }

  /// Whether one more event may go out; if not, it is dropped and counted.
  /// - Parameter isLight: whether it comes from somebody who brings about few events. Half of the burst is kept
  ///   for these: one player's flood of hits takes nobody else's hits from the subscriber.
  func mayTell(isLight: Bool, at now: HostTime) -> Bool {
    guard events.holds(isLight ? 1 : Subscriber.eventsAtOnce / 2, at: now), events.take(at: now) else {
      dropped += 1
      return false
    }
    return true
  }

  /// When waiting values may go out: at once after a quiet time, else 30 times a second.
  var deadline: HostTime? { waiting.isEmpty ? nil : nextFlush }

  /// Keeps values that could not go out, for half a second; newer ones of the same settings stand in front of them.
  func keep(_ values: some Sequence<(Setting, SettingValue)>, at now: HostTime) {
    for (setting, value) in values where waiting[setting] == nil { put(setting, value) }
    nextFlush = now.advanced(byMilliseconds: 500)
  }

  func takeWaiting(at now: HostTime) -> [(Setting, SettingValue)] {
    defer {
      waiting.removeAll(keepingCapacity: true)
      order.removeAll(keepingCapacity: true)
      nextFlush = now.advanced(byNanoseconds: Subscriber.flushNanoseconds)
    }
    return order.compactMap { setting in waiting[setting].map { (setting, $0) } }
  }
}
