import JamCore
import JamKit
import JamRealtime
import JamRoom
import JamStore
import JamWire

/// Plays the loops and lanes of a project: as many bars as the longest of them has, or as many as
/// somebody asks for. The loops have already gone round before the first frame of the file. So the
/// sounds that ring at the end of the file are also heard at its beginning, and the file loops
/// without a gap.
///
/// Thread: any that may wait.
struct ProjectReplay: ExportSource {
  let first: Int64
  let length: Int64
  let score: String? = nil
  private let project: KeptProject
  private let kitStore: KitStore
  private let firstKit: PlayableKit

  static let mostBars = 1_024

  /// - Parameters:
  ///   - path: the file with the project's rows.
  ///   - bars: the number of bars; nil is the length of the longest loop.
  init(_ path: String, bars: Int?, kitStore: KitStore, firstKit: PlayableKit) throws(ExportProblem) {
    let items: [KeptItem]
    do {
      items = try MusicBytes.items(in: try Files.read(path, limit: ProjectFile.mostBytes))
    } catch {
      throw .unreadable("the project cannot be read: \(error)")
    }
    project = KeptProject(items, from: kitStore)
    self.kitStore = kitStore
    self.firstKit = firstKit
    let room = try ProjectReplay.open(project, kitStore, firstKit, stems: nil)
    let round = room.state.longestRound
    guard round > 0 else { throw .nothingGoesRound }
    let count = min(bars ?? round, ProjectReplay.mostBars)
    // By then every loop has begun a new round.
    let before = (round + count - 1) / count * count
    guard let begin = room.state.frame(ofBars: before, after: room.end),
      let end = room.state.frame(ofBars: before + count, after: room.end)
    else { throw .unreadable("the project's clock stands") }
    first = begin.count
    length = (end - begin).count
  }

  private static func open(
    _ project: KeptProject, _ kitStore: KitStore, _ firstKit: PlayableKit, stems: StemPlan?
  ) throws(ExportProblem) -> OfflineRoom {
    let tempo = Tempo(clamping: project.bpm)
    let room = OfflineRoom(
      name: PlayerName("project")!, kits: kitStore, firstKit: firstKit, tempo: tempo, stems: stems, isLive: true)
    do throws(Refusal) { try room.open(project) } catch { throw .unreadable(error.words) }
    room.go(to: room.end)
    return room
  }

  func play(
    title: String, stems: StemPlan?, isCancelled: () -> Bool, rendered: (OfflineRoom) throws(ExportProblem) -> Void,
    _ body: (UnsafeBufferPointer<Float>) throws(ExportProblem) -> Void
  ) throws(ExportProblem) -> PlayedStretch {
    let room = try ProjectReplay.open(project, kitStore, firstKit, stems: stems)
    var maps = [(frame: Frames.zero, map: room.state.map)]
    let count = Int(Frames.perBuffer)
    let last = first + length
    let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: count * 2)
    buffer.initialize(repeating: 0)
    defer { buffer.deallocate() }
    while room.end.count < last {
      guard !isCancelled() else { throw .cancelled }
      room.go(to: room.end)
      if room.state.map.memory !== maps[maps.count - 1].map.memory { maps.append((room.end, room.state.map)) }
      let start = room.end.count
      room.render(into: buffer)
      try rendered(room)
      let (from, to) = (max(start, first) - start, min(start + Int64(count), last) - start)
      guard from < to else { continue }
      try body(UnsafeBufferPointer(rebasing: buffer[Int(from) * 2..<Int(to) * 2]))
    }
    let players = project.players.compactMap { PlayerName($0) }
    let pads = players.compactMap { name in room.pads(of: name).map { (name, $0) } }
    let export = ScoreExport(
      name: title, players: players, log: room.log, maps: maps, length: Frames(last),
      pads: Dictionary(pads) { first, _ in first }, firstPatch: room.firstPatch)
    return PlayedStretch(export, room, from: first, frames: length)
  }
}
