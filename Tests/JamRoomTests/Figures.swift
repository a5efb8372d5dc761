import Glibc

/// Measured figures, for whoever wants to read them: `BANDSHELL_FIGURES=1 swift test --filter JamRoomTests`.
enum Figures {
  private static let areWanted = getenv("BANDSHELL_FIGURES") != nil

  static func note(_ name: String, _ value: Double) {
    if areWanted { print("figure \(name): \(value)") }
  }
}
