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

  /// Values that changed and were not told yet: the latest wins.
  private(set) var waiting: [Setting: SettingValue] = [:]
  /// The order in which they changed first.
  private var order: [Setting] = []
  private var nextFlush: HostTime
  /// Events beside values that may go out in one flush interval.
  private var events: TokenBucket
  private(set) var dropped: UInt64 = 0

  static let flushNanoseconds: Int64 = 33_333_333

  init(
    owner: Origin, transport: Transport, topics: Topics, room: Room, player: PlayerID?, expires: HostTime,
    at now: HostTime
  ) {
    self.owner = owner
    self.transport = transport
    self.topics = topics
    self.room = room
    self.player = player
    self.expires = expires
    nextFlush = now
    events = TokenBucket(perSecond: 2_000, burst: 500, at: now)
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
  func mayTell(at now: HostTime) -> Bool {
    guard events.take(at: now) else {
      dropped += 1
      return false
    }
    return true
  }

  /// When waiting values may go out: at once after a quiet time, else 30 times a second.
  var deadline: HostTime? { waiting.isEmpty ? nil : nextFlush }

  func takeWaiting(at now: HostTime) -> [(Setting, SettingValue)] {
    defer {
      waiting.removeAll(keepingCapacity: true)
      order.removeAll(keepingCapacity: true)
      nextFlush = now.advanced(byNanoseconds: Subscriber.flushNanoseconds)
    }
    return order.compactMap { setting in waiting[setting].map { (setting, $0) } }
  }
}
