internal import JamCore

/// A player's mix of its own: how loud the others are in its own streams. It is kept by name, also
/// for those who are not here.
///
/// A value type: its owner decides on the thread.
struct MyMix: Equatable, Sendable {
  /// One name's values, which differ from what everybody hears.
  struct Entry: Equatable, Sendable {
    var name: PlayerName
    /// In dB.
    var gain: Float = 0
    var isMuted = false

    /// As everybody hears it.
    var isLevel: Bool { gain == 0 && !isMuted }
    /// Linear; at the lowest gain nothing is left.
    var factor: Float { isMuted ? 0 : Decibels.gain(gain) }
  }

  /// The names that a mix remembers. The one that was changed the longest ago goes first.
  static let most = 64

  /// In the order of their last changes.
  private(set) var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  /// The values for that name: those that everybody hears, where none were set.
  subscript(name: PlayerName) -> Entry { entries.first { $0.name == name } ?? Entry(name: name) }

  /// - Returns: the name that had to go for it.
  @discardableResult
  mutating func change(to entry: Entry) -> PlayerName? {
    entries.removeAll { $0.name == entry.name }
    guard !entry.isLevel else { return nil }
    entries.append(entry)
    return entries.count > MyMix.most ? entries.removeFirst().name : nil
  }

  /// All as everybody hears it.
  mutating func forgetAll() { entries = [] }
}

extension MyMix: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(entries.count)
    for entry in entries {
      writer.put(entry.name)
      writer.put(entry.gain)
      writer.put(entry.isMuted)
    }
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    let range = Setting.mixGain(.anybody).row.kind
    for _ in 0..<(try reader.takeCount()) {
      let name: PlayerName = try reader.take()
      let gain = range.bounded(try reader.take(Float.self))
      change(to: Entry(name: name, gain: gain, isMuted: try reader.take()))
    }
  }
}
