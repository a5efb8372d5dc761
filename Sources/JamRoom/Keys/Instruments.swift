public import JamCore

/// The instruments of a server, in the order in which they are listed. They never change while it runs.
///
/// Thread: any.
public struct Instruments: Equatable, Sendable {
  public let all: [Instrument]
  /// What newcomers' keys play.
  let first: Instrument

  /// - Parameter first: the id of what newcomers get; where it is not there, the first of all.
  public init(_ all: [Instrument] = [], first: String = "electric-piano") {
    self.all = all
    self.first = all.first { $0.id == first } ?? all.first ?? .standard
  }

  /// By its id, or by its name in any case.
  func named(_ text: String) -> Instrument? {
    all.first { $0.id == text } ?? all.first { $0.name.lowercased() == text.lowercased() }
  }

  /// The one so many places on, round and round.
  func next(after id: String, by step: Int) -> Instrument {
    guard !all.isEmpty else { return first }
    let place = all.firstIndex { $0.id == id } ?? 0
    return all[((place + step) % all.count + all.count) % all.count]
  }
}
