internal import JamCore

/// Choices that follow from one number: the same on every machine.
struct GrooveDice {
  private let seed: UInt64
  private var throwsSoFar: UInt64 = 0

  init(_ seed: UInt64) { self.seed = seed }

  /// One of them, each as likely; nil where there is none.
  mutating func choose<Element>(_ all: [Element]) -> Element? {
    guard !all.isEmpty else { return nil }
    return all[Int(next() % UInt64(all.count))]
  }

  /// All of them, beginning with any.
  mutating func rotated<Element>(_ all: [Element]) -> [Element] {
    guard !all.isEmpty else { return [] }
    let first = Int(next() % UInt64(all.count))
    return Array(all[first...] + all[..<first])
  }

  private mutating func next() -> UInt64 {
    throwsSoFar += 1
    return Chance.mixed(seed &+ throwsSoFar &* 0x9E37_79B9_7F4A_7C15)
  }
}
