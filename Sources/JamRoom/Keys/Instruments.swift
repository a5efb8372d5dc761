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
    // Recorded sounds are read first, and a newcomer's keys play at once.
    let synthesised = all.filter { !$0.isSampled }
    self.first = synthesised.first { $0.id == first } ?? synthesised.first ?? .standard
  }

  /// By its id or its name, in any case.
  func find(_ text: String) -> Instrument? {
    let plain = text.lowercased()
    return all.first { $0.id == plain } ?? all.first { $0.name.lowercased() == plain }
  }

  /// - Throws: `Refusal` with the one that is written almost so.
  func requireNamed(_ text: String) throws(Refusal) {
    guard find(text) == nil else { return }
    throw .noSuchInstrument(
      text, near: nearest(to: text.lowercased(), among: all.map(\.id)) ?? nearest(to: text, among: all.map(\.name)))
  }

  /// Whether it is one of recorded sounds.
  func isSampled(_ id: String) -> Bool { all.contains { $0.id == id && $0.isSampled } }

  /// Whether a hit of the instrument may have that zone's sound.
  public func hasZone(_ pad: Pad, of id: String) -> Bool {
    all.contains { $0.id == id && pad.index < $0.zones.count }
  }

  /// The one so many places on, round and round.
  func next(after id: String, by step: Int) -> Instrument {
    guard !all.isEmpty else { return first }
    let place = all.firstIndex { $0.id == id } ?? 0
    return all[((place + step) % all.count + all.count) % all.count]
  }
}
