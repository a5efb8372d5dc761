internal import ArgumentParser

/// A part of a bench, by its word on the command line. No two benches have a part of one name.
struct BenchPart: ExpressibleByArgument {
  let word: String

  static let allValueStrings =
    SoundPart.allCases.map(\.rawValue) + RoomsPart.allCases.map(\.rawValue)

  init?(argument: String) {
    guard BenchPart.allValueStrings.contains(argument) else { return nil }
    word = argument
  }
}
