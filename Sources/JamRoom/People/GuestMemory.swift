internal import JamCore

/// The kits and settings of guests who fell silent: they find them again.
///
/// A plain value: nothing of it is in a score, and a restart of the server forgets it.
struct GuestMemory: Equatable, Sendable {
  /// A sender without a token, as it is known when it comes back: by its name, and its address. It
  /// said the name, or its address made it.
  struct Key: Hashable, Sendable {
    var name: PlayerName
    var address: SourceAddress
  }

  struct SetValue: Equatable, Sendable {
    var setting: Setting
    var value: SettingValue
  }

  struct Entry: Equatable, Sendable {
    var key: Key
    var kit: KitEdit
    /// Those of its settings that it changed.
    var settings: [SetValue]
    var velocityScale: VelocityScale
    /// Its address may have been forged.
    var isUnproven: Bool
    var until: Frames
  }

  /// The latest last.
  private(set) var entries: [Entry] = []

  /// - Parameter limit: beyond it the oldest go, those with a possibly forged address first.
  mutating func keep(_ entry: Entry, limit: Int, at now: Frames) {
    entries.removeAll { $0.until <= now || $0.key == entry.key }
    if entries.count >= limit { entries.remove(at: entries.firstIndex(where: \.isUnproven) ?? 0) }
    entries.append(entry)
  }

  /// The guest's entry, which is its own again.
  mutating func take(_ key: Key, at now: Frames) -> Entry? {
    guard let place = entries.firstIndex(where: { $0.key == key && $0.until > now }) else { return nil }
    return entries.remove(at: place)
  }

  mutating func forget(_ key: Key) { entries.removeAll { $0.key == key } }
}
