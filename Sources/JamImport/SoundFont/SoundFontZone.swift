/// Generators of one zone of a preset or an instrument, by their numbers.
/// - Source: SoundFont Technical Specification 2.04, §8.1.
struct SoundFontZone {
  var generators: [Int: UInt16] = [:]

  enum Generator {
    static let startOffset = 0, endOffset = 1, startCoarse = 4, endCoarse = 12, pan = 17, instrument = 41, keys = 43
    static let velocities = 44, attenuation = 48, coarseTune = 51, fineTune = 52, sample = 53, modes = 54
    static let loopStart = 2, loopEnd = 3, loopStartCoarse = 45, loopEndCoarse = 50
    static let release = 38, scaleTuning = 56, exclusiveClass = 57, rootKey = 58
  }

  func signed(_ generator: Int, else usual: Int = 0) -> Int {
    generators[generator].map { Int(Int16(bitPattern: $0)) } ?? usual
  }

  /// nil where the lowest lies above the highest.
  func range(_ generator: Int) -> ClosedRange<Int>? {
    guard let value = generators[generator] else { return 0...127 }
    let (low, high) = (Int(value & 0xff), Int(value >> 8))
    // In order: both are compared first.
    return low <= high && low <= 127 ? low...min(high, 127) : nil
  }

  /// The zone merged over `zone`: `zone` fills in the generators that this one lacks.
  func over(_ zone: SoundFontZone) -> SoundFontZone {
    SoundFontZone(generators: zone.generators.merging(generators) { $1 })
  }
}
