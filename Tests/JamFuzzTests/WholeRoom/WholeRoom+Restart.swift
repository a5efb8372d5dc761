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
    let (tokens, hasLaunchedScenes) = (server.tokens, server.hasLaunchedScenes)
    server = JamServer(
      kits, without: away, start.items.isEmpty ? nil : kept, tempo: .standard, at: now,
      delay: Frames(Int64(dice.below(3) * 2_500)))
    server.tokens = tokens
    server.hasLaunchedScenes = hasLaunchedScenes
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
    for (a, var b) in zip(old.people, new.people) {
      WholeRoom.forgetArrived(a, in: &b)
      if a != b { found.append("\(a.name) is another in \(WholeRoom.difference(a, b))") }
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

  /// A block that waited for its sounds when the room was kept has them by now. A lane without a
  /// block that was to play does not play.
  private static func forgetArrived(_ old: KeptReading.Person, in new: inout KeptReading.Person) {
    func isEmpty(_ edit: LaneEdit?) -> Bool { edit?.slots.allSatisfy { $0 == nil } ?? true }
    for (lane, edit) in old.lanes.enumerated() {
      if isEmpty(edit), isEmpty(new.lanes[lane]) { new.lanes[lane] = edit }
      for (slot, held) in (edit?.slots ?? []).enumerated() where held?.hits.isEmpty == true {
        for hit in new.lanes[lane]?.slots[slot]?.hits ?? [] { new.definitions[Int(hit.sequence)] = nil }
        new.lanes[lane]?.slots[slot]?.hits = []
      }
    }
  }

  /// The way to the first part in which two values differ, and both parts.
  private static func difference(_ a: Any, _ b: Any) -> String {
    let (mine, others) = (Mirror(reflecting: a), Mirror(reflecting: b))
    // The order of a set or of a dictionary says nothing.
    if mine.displayStyle != .dictionary, mine.displayStyle != .set, mine.children.count == others.children.count {
      for (a, b) in zip(mine.children, others.children) {
        if let a = a.value as? any Equatable, a.isSame(as: b.value) { continue }
        if a.value is any Equatable || "\(a.value)" != "\(b.value)" {
          return ".\(a.label ?? "")\(difference(a.value, b.value))"
        }
      }
    }
    if let a = a as? [Int: VoicedHit], let b = b as? [Int: VoicedHit] {
      let numbers = Set(a.keys).union(b.keys).filter { a[$0] != b[$0] }.sorted()
      guard let number = numbers.first else { return "" }
      return "[\(numbers.count) of \(a.count), \(b.count); \(number)]\(difference(a[number] as Any, b[number] as Any))"
    }
    return ": \("\(a)".prefix(300))… and \("\(b)".prefix(300))…"
  }
}

extension Equatable {
  fileprivate func isSame(as other: Any) -> Bool { (other as? Self) == self }
}
