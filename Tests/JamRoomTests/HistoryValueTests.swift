import JamCore
import Testing

@testable import JamRoom

/// A player's edits, without a room.
@Suite struct HistoryValueTests {
  private let kit = Fixture.kit("one")
  private let pad = Pad(1)!
  private var playing: Playing { Playing(Loop(), []) }

  /// A player whose first pad has that gain.
  private func player(gain: Float = 0) -> Player {
    var player = Player(Fixture.person("ann"), hands: Hands(kit: kit, instrument: .standard))
    player.hands.pads[0].settings.gain = gain
    return player
  }

  private func padEdit(gain: Float = 0, of kit: String = "one") -> PadEdit {
    var edit = PadEdit(of: self.kit.kit, pad)
    edit.settings.gain = gain
    edit.sample = .pad(pad, of: kit)
    return edit
  }

  /// The pad's fader goes from one value to another.
  private func move(_ before: Float, _ after: Float, _ setting: PadSetting = .gain) -> Edit {
    .pad(pad, padEdit(gain: before), padEdit(gain: after), moved: .pad(setting, pad))
  }

  private func kitEdit(_ before: String, _ after: String) -> Edit {
    .kit(KitEdit(of: Kit(id: before, name: before)), KitEdit(of: Kit(id: after, name: after)))
  }

  private func remember(_ edits: Edit..., in history: inout History) {
    for edit in edits { _ = history.remember(edit, at: .seconds(Double(history.made) * 10), limit: 100) }
  }

  @Test("moves of one fader within a second are one edit, and after an undo the next move is another")
  func oneMove() {
    var history = History()
    func move(_ before: Float, _ after: Float, _ setting: PadSetting = .gain, at seconds: Double) {
      _ = history.remember(self.move(before, after, setting), at: .seconds(seconds), limit: 100)
    }
    move(0, -3, at: 0)
    move(-3, -6, at: 0.9)
    #expect(history.done == [self.move(0, -6)])
    move(-6, -9, at: 1.9)
    move(-9, -9.5, .pan, at: 2)
    #expect(history.done.count == 3)
    _ = history.takeBack(playing)
    move(-9, -12, at: 2.1)
    #expect(history.done == [self.move(0, -6), self.move(-6, -9), self.move(-9, -12)] && history.made == 5)
  }

  @Test("edits are taken back from the last on and done again in their order; a new one ends that")
  func backAndForth() {
    var history = History()
    let edits = [move(0, -1), kitEdit("one", "two"), move(-1, -2)]
    for edit in edits { remember(edit, in: &history) }
    let (last, middle) = (history.takeBack(playing), history.takeBack(playing))
    #expect(last == edits[2] && middle == edits[1] && history.undone == [edits[2], edits[1]])
    let again = history.doAgain(playing)
    #expect(again == edits[1] && history.done == Array(edits[..<2]))
    remember(kitEdit("two", "three"), in: &history)
    let none = history.doAgain(playing)
    #expect(none == nil && history.done.count == 3)
    #expect(history.weight == history.done.reduce(0) { $0 + $1.weight }, "what is gone weighs nothing")
  }

  @Test("a loop that was cleared while it went round goes round again where that is taken back, and stands else")
  func playingComesBack() {
    var loop = Loop()
    loop[1] = Layer(tracks: [Track(hits: [Fixture.loopHit(at: 1)], length: Beats(4))], begin: .zero)
    loop.setPlaying(true)
    var history = History()
    remember(.loop(LoopEdit(loop), LoopEdit(Loop())), in: &history)
    _ = history.takeBack(Playing(Loop(), []))
    // It was started, and is cleared again.
    loop.setPlaying(false)
    guard case .loop(let before, let after)? = history.doAgain(Playing(loop, [])) else {
      Issue.record("nothing to do again")
      return
    }
    #expect(before.isPlaying && !after.isPlaying)
    guard case .loop(let now, _)? = history.done.last else { return }
    #expect(!now.isPlaying, "it stood when it was cleared the second time")
  }

  @Test("a long history stays short, and its oldest edits become one that leads from the beginning to the next")
  func joined() {
    var history = History(from: Checkpoint(player()))
    for number in 1...100 {
      let edit = move(Float(number - 1), Float(number))
      if history.remember(edit, at: .seconds(Double(number) * 10), limit: 8) {
        history.keep(Checkpoint(player(gain: Float(number))))
      }
      #expect(history.done.count <= 8)
    }
    guard case .all(let begin, let state)? = history.done.first, case .pad(_, let next, _, _) = history.done[1] else {
      Issue.record("nothing was joined")
      return
    }
    #expect(begin == Checkpoint(player()) && state.kit.pads[0] == next && next.settings.gain > 90)
    #expect(history.made == 100)
  }

  @Test("what many edits hold is bounded as well")
  func weight() {
    var history = History(from: Checkpoint(player()))
    for number in 0..<50 {
      let isAsked = history.remember(
        kitEdit("\(number)", "\(number + 1)"), at: .seconds(Double(number)), limit: 1_000, heaviest: 100)
      if isAsked { history.keep(Checkpoint(player())) }
      #expect(history.weight <= 100 && history.weight == history.done.reduce(0) { $0 + $1.weight })
    }
    #expect(history.done.count > 1)
  }

  // MARK: What could not be had

  @Test("a sound that cannot be had is in no edit; what else was set meanwhile stays")
  func missingSound() {
    var history = History()
    let chosen = Edit.pad(pad, padEdit(), padEdit(of: "two"), moved: nil)
    let gain = Edit.pad(pad, padEdit(of: "two"), padEdit(gain: -6, of: "two"), moved: .pad(.gain, pad))
    remember(move(0, 0.5), chosen, gain, in: &history)
    history.forget(pad) { edit in
      guard edit.sample == .pad(pad, of: "two") else { return false }
      edit.sample = .pad(pad, of: "one")
      return true
    }
    #expect(history.done == [move(0, 0.5), move(0, -6)])
  }

  @Test("a kit that cannot be had was not chosen; one that was chosen after it stays")
  func missingKit() {
    var history = History()
    remember(kitEdit("one", "two"), move(0, -1), in: &history)
    var later = history
    remember(kitEdit("two", "three"), in: &later)
    history.forget("two")
    later.forget("two")
    #expect(history.done == [move(0, -1)] && later.done.count == 3)
  }

  // MARK: What changes in it

  @Test("a late hit comes into its layer wherever an edit knows it, back to the edit that made it")
  func amended() {
    func layer(_ pass: Int, gain: Float = 0) -> Layer { Layer(tracks: [], gain: gain, begin: .zero, pass: pass) }
    var history = History()
    remember(
      .layer(2, layer(1), layer(1, gain: -3)), .layer(1, nil, layer(2)), .layer(1, layer(2), layer(2, gain: -6)),
      move(0, -1), .layer(1, layer(2, gain: -6), nil), in: &history)
    _ = history.takeBack(playing)
    history.amend({ $0.isMuted = true }, until: { $0.made(2) })
    func muted(_ edit: Edit) -> [Bool?] {
      guard case .layer(_, let before, let after) = edit else { return [] }
      return [before?.isMuted, after?.isMuted]
    }
    #expect(history.done.map(muted) == [[false, false], [nil, true], [true, true], []])
    #expect(history.undone.map(muted) == [[true, nil]])
  }

  @Test("a block that is another now is so on lanes as they were, too")
  func amendedSlots() {
    var lane = Lane()
    let empty = LaneEdit(lane)
    lane.slots[0] = LaneSlot(id: 1, block: Block(name: "old", length: Beats(4), hits: []))
    let full = LaneEdit(lane)
    var history = History()
    remember(
      .lanes([LaneChange(number: 1, before: empty, after: full)]),
      .lanes([LaneChange(number: 1, before: full, after: empty)]), in: &history)
    _ = history.takeBack(Playing(Loop(), [lane]))
    history.amendSlots { $0.block.name = "new" }
    func names(_ edit: Edit?) -> [String?] {
      guard case .lanes(let changes)? = edit else { return [] }
      return changes.flatMap { [$0.before.slots[0]?.block.name, $0.after.slots[0]?.block.name] }
    }
    #expect(names(history.done.last) == [nil, "new"] && names(history.undone.last) == ["new", nil])
  }
}
