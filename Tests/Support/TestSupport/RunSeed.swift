import Glibc

/// The seed of one run's random numbers. Each run draws its own, and tells it once.
///
/// `BANDSHELL_SEED=N make test` brings the numbers of the run that told N. Thread: any.
package enum RunSeed {
  package static let value: UInt64 = {
    let given = getenv("BANDSHELL_SEED").flatMap { UInt64(String(cString: $0)) }
    let seed = given ?? .random(in: 0...999_999_999)
    print("random numbers: BANDSHELL_SEED=\(seed)")
    return seed
  }()

  /// Numbers for one test. Tests run side by side, so each has its own.
  package static func numbers() -> SplitMix { SplitMix(seed: value) }
}
