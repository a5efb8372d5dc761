internal import Glibc
internal import JamCommand
internal import JamCore
internal import JamRealtime
internal import JamStore

/// A data folder with many takes. Measures how soon a server is ready with it.
struct KeptTakes {
  private let count: Int
  private let folder: String

  init(_ count: Int, in folder: String) throws {
    self.count = count
    self.folder = folder
    for path in [folder, "\(folder)/empty", "\(folder)/full"] { mkdir(path, 0o700) }
    let catalogue = try Catalogue("\(folder)/full/projects.db")
    let now = Int64(time(nil))
    for number in 0..<count {
      var take = Catalogue.Take(
        id: "take-\(number)", room: "main", recording: "take-\(number)", began: now - Int64(number * 60), first: 0,
        length: 2_880_000, tempo: 120)
      take.found = Catalogue.Found(
        players: ["ann", "bob"], hits: 500, bars: (0..<30).map { $0 * 96_000 },
        peaks: [UInt8](repeating: 90, count: 1_200))
      try catalogue.put(take)
    }
  }

  /// - Returns: the milliseconds until a server is ready, for each start, without takes and with
  ///   them, in turns.
  func starts(_ times: Int) throws -> (without: [Double], with: [Double]) {
    var (without, with): ([Double], [Double]) = ([], [])
    // The first start reads everything from disk, so it is a warm-up.
    for turn in 0...times {
      let pair = (try start("\(folder)/empty"), try start("\(folder)/full"))
      guard turn > 0 else { continue }
      without.append(pair.0)
      with.append(pair.1)
    }
    return (without, with)
  }

  private func start(_ data: String) throws -> Double {
    let began = HostTime.now
    let server = try TestedProgram.server(more: ["--data", data])
    defer { withExtendedLifetime(server) {} }
    return HostTime.now.milliseconds(since: began)
  }
}
