import JamCore

@testable import JamRoom
@testable import JamStore

/// The server ends at any moment, and starts again from what its disk holds.
extension WholeRoom {
  /// - Parameter isKill: the process alone ends; otherwise the power goes.
  func comeBack(isKill: Bool) {
    fail(server.differencesOfScore(), "the score")
    var found: [String] = []
    let start: JamDisk.Start
    do {
      start = try disk.restart(isKill: isKill, &found)
    } catch {
      return fail(["the journal cannot be opened: \(error)"], "a start")
    }
    fail(found, "a start")
    if start.isLied { noteLied(start.lostImages) }
    // Where rows are lost, edits are lost: nobody can take them back any more.
    if !start.isWhole { begins = [:] }
    let away = dice.below(3) == 0 ? Set([dice.one(of: ["two", "three"])]) : []
    let source = RandomSource(kits)
    let whole = KeptRoom(start.items, from: source.library)
    if start.isWhole { fail(whole.problems, "a start") }
    let kept = away.isEmpty ? whole : KeptRoom(start.items, from: RandomSource(kits, without: away).library)
    let tokens = server.tokens
    server = JamServer(
      kits, without: away, start.items.isEmpty ? nil : kept, tempo: .standard, at: now,
      delay: Frames(Int64(dice.below(3) * 2_500)))
    server.tokens = tokens
    if start.isWhole, !start.items.isEmpty { fail(differences(whole.reading, source), "coming back") }
    check("coming back")
  }

  /// What is other in the room that came back than in what was kept.
  private func differences(_ old: KeptReading, _ source: RandomSource) -> [String] {
    let image = RoomImage(of: server.room.state, at: .zero)
    let items = Dictionary(RoomImage.change(from: nil, to: image).items.map { ($0.name, $0.values) }) { $1 }
    let new = KeptRoom(items, from: source.library).reading
    var found: [String] = []
    if old.people.map(\.name) != new.people.map(\.name) { found.append("other people") }
    for (a, b) in zip(old.people, new.people) where a != b {
      let parts = zip(Mirror(reflecting: a).children, Mirror(reflecting: b).children).compactMap { a, b in
        "\(a.value)" == "\(b.value)" ? nil : "\(a.label ?? ""): \(WholeRoom.difference("\(a.value)", "\(b.value)"))"
      }
      found.append("\(a.name) is another in \(parts)")
    }
    let isSame = [
      "clock": old.clock == new.clock, "mix": old.mix == new.mix, "build-up": old.parts == new.parts,
      "lock": old.lock == new.lock, "chat": old.chat == new.chat, "slots": old.slotsPut <= new.slotsPut,
      "numbers": old.sequence <= new.sequence, "progressions": old.progressions == new.progressions,
      "scenes": old.scenes == new.scenes, "edits": old.roomDone == new.roomDone,
      "undone edits": old.roomUndone == new.roomUndone,
    ]
    return found + isSame.filter { !$0.value }.keys.sorted().map { "another \($0)" }
  }

  /// Where two texts begin to differ.
  private static func difference(_ a: String, _ b: String) -> String {
    let common = zip(a, b).prefix { $0 == $1 }.count
    let begin = max(0, common - 60)
    return "…\(a.dropFirst(begin).prefix(160))… and …\(b.dropFirst(begin).prefix(160))…"
  }
}
