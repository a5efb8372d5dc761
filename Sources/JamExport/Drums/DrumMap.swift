/// A MIDI key for every pad of a kit, no key twice.
///
/// Drums get the key of General MIDI that fits them. If another pad has taken that key, they get
/// the next best. All other pads get 36 plus their index, or the next free key above. The same pads
/// always give the same keys.
public struct DrumMap: Hashable, Sendable {
  /// In the order of the pads, 0…127.
  public let keys: [UInt8]

  /// The lowest key of pads without a drum of their own.
  public static let firstKey = 36

  /// - Parameter pads: category and name of every sound; up to 128, beyond which keys repeat.
  public init(pads: [(category: String, name: String)]) {
    let wishes = pads.map { GeneralMIDI.drums(category: $0.category, name: $0.name) }
    var keys = [UInt8?](repeating: nil, count: pads.count)
    var taken: Set<UInt8> = []
    // All first wishes come before all second wishes, so that a tom does not take the key of a
    // later "low tom".
    for rank in 0..<(wishes.map(\.count).max() ?? 0) {
      for (index, wish) in wishes.enumerated() where keys[index] == nil && rank < wish.count {
        if taken.insert(wish[rank]).inserted { keys[index] = wish[rank] }
      }
    }
    for index in pads.indices where keys[index] == nil {
      let own = DrumMap.firstKey + index
      let free = (0..<128).map { UInt8((own + $0) % 128) }.first { taken.insert($0).inserted }
      keys[index] = free ?? UInt8(own % 128)
    }
    self.keys = keys.map { $0 ?? 0 }
  }
}
