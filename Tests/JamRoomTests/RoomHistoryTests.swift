import JamCore
import Testing

@testable import JamRoom

/// The edits of what is the whole room's, without a room.
@Suite struct RoomHistoryTests {
  private let ann = PlayerID(index: 0)
  private let bob = PlayerID(index: 1)

  /// A fader goes from one value to another.
  /// - Parameter own: the edit that its player made last; nil is the last of all.
  @discardableResult
  private func move(
    _ before: Float, _ after: Float, of setting: Setting = .masterGain, at seconds: Double, by player: PlayerID? = nil,
    own: UInt64? = nil, isOwn: Bool = true, run: UInt64? = nil, limit: Int = 100, in history: inout RoomHistory
  ) -> String {
    let outcome = history.remember(
      setting, .float(before), .float(after), at: .seconds(seconds), by: player ?? ann,
      after: own ?? history.done.last?.number, isOwn: isOwn, run: run, limit: limit)
    return switch outcome {
    case .new: "new"
    case .joined: "joined"
    case .vanished: "vanished"
    case .nothing: "nothing"
    }
  }

  private func values(_ edits: [RoomEdit]) -> [[Float]] {
    edits.map { edit in
      [edit.before, edit.after].map { if case .float(let number) = $0 { number } else { .nan } }
    }
  }

  @Test("moves of one fader within a second are one edit, of one player who did nothing else between")
  func oneMove() {
    var history = RoomHistory()
    let first = [
      move(0, -3, at: 0, in: &history), move(-3, -6, at: 0.9, in: &history), move(-6, -9, at: 1.9, in: &history),
    ]
    #expect(first == ["new", "joined", "new"] && values(history.done) == [[0, -6], [-6, -9]])
    #expect(move(-9, -10, at: 2, by: bob, in: &history) == "new")
    #expect(move(-10, -11, at: 2.1, by: bob, own: 1, in: &history) == "new", "an edit of its own lies between")
    #expect(move(0, 1, of: .pitch, at: 2.2, by: bob, in: &history) == "new")
    #expect(move(1, 2, of: .pitch, at: 2.3, by: bob, own: 1, isOwn: false, in: &history) == "joined")
  }

  @Test("what nobody did joins nothing")
  func nobody() {
    var history = RoomHistory()
    func set(_ before: Float, _ after: Float) {
      _ = history.remember(
        .swing, .float(before), .float(after), at: .zero, by: nil, after: history.done.last?.number, limit: 100)
    }
    set(0, 0.1)
    set(0.1, 0.2)
    #expect(history.done.count == 2)
  }

  @Test("a run of taps is one edit however slow it is, and the next run another")
  func runs() {
    var history = RoomHistory()
    let runs = [
      move(120, 100, of: .tempo, at: 0, run: 1, in: &history), move(100, 99, of: .tempo, at: 60, run: 1, in: &history),
      move(99, 90, of: .tempo, at: 90, run: 2, in: &history),
    ]
    #expect(runs == ["new", "joined", "new"] && values(history.done) == [[120, 99], [99, 90]])
  }

  @Test("what comes back to where it began is no edit: a fader at once, the pitch also later, for it springs")
  func back() {
    var history = RoomHistory()
    #expect(move(-3, -3, at: 0, in: &history) == "nothing")
    let fader = [move(0, -3, at: 0, in: &history), move(-3, 0, at: 0.5, in: &history)]
    #expect(fader == ["new", "vanished"] && history.done.isEmpty)
    let pitch = [move(0, 2, of: .pitch, at: 10, in: &history), move(2, 0, of: .pitch, at: 20, in: &history)]
    #expect(pitch == ["new", "vanished"] && history.done.isEmpty)
    let slow = [move(0, -3, at: 30, in: &history), move(-3, 0, at: 40, in: &history)]
    #expect(slow == ["new", "new"])
  }

  @Test("edits are taken back from the last on and done again in their order; a new one ends that")
  func backAndForth() {
    var history = RoomHistory()
    for number in 0..<3 { move(Float(number), Float(number + 1), at: Double(number) * 10, in: &history) }
    let back = [history.takeBack(), history.takeBack()].compactMap { $0 }
    #expect(values(back) == [[2, 3], [1, 2]])
    let again = history.doAgain()
    #expect(again?.number == 2 && history.undone.map(\.number) == [3])
    // Within a second of the one before: it is an edit of its own all the same.
    #expect(move(2, 9, at: 20.1, in: &history) == "new")
    let none = history.doAgain()
    #expect(none == nil && values(history.done) == [[0, 1], [1, 2], [2, 9]])
    while history.takeBack() != nil {}
    #expect(history.done.isEmpty && values(history.undone) == [[2, 9], [1, 2], [0, 1]])
  }

  @Test("beyond the limit old edits are joined, one for each setting, and all of them lead back to the beginning")
  func joined() {
    var history = RoomHistory()
    for number in 0..<50 {
      let setting: Setting = number % 2 == 0 ? .masterGain : .swing
      let value = Float(number / 2)
      move(value, value + 1, of: setting, at: Double(number) * 10, limit: 6, in: &history)
      #expect(history.done.count <= 6)
    }
    var first: [Setting: SettingValue] = [:]
    while let edit = history.takeBack() {
      if let before = first[edit.setting] { #expect(edit.after == before) }
      first[edit.setting] = edit.before
    }
    #expect(first == [.masterGain: .float(0), .swing: .float(0)])
  }

  @Test("a fader that was back where it began takes no place once old edits are joined")
  func joinedBack() {
    var history = RoomHistory()
    move(0, 1, at: 0, limit: 3, in: &history)
    move(1, 0, at: 10, limit: 3, in: &history)
    move(0, 0.5, of: .swing, at: 20, limit: 3, in: &history)
    move(0, 2, of: .pitch, at: 30, limit: 3, in: &history)
    #expect(history.done.map(\.setting) == [.swing, .pitch])
  }

  @Test("a player takes its own edit back where nobody has changed the same since, whatever else was done")
  func own() throws {
    var history = RoomHistory()
    move(0, 1, at: 0, in: &history)
    move(0, 0.5, of: .swing, at: 10, in: &history)
    move(1, 2, at: 20, by: bob, in: &history)
    #expect(history.latest(1) == nil && history.latest(9) == nil)
    let swing = try #require(history.latest(2))
    history.takeBack(swing)
    #expect(history.done.map(\.number) == [1, 3] && history.undone.isEmpty, "the player has it, not the room")
    history.doAgain(swing, limit: 100)
    #expect(history.done.map(\.number) == [1, 3, 2])
    // What a host took back begins where this edit ended, and cannot be done again without it.
    move(2, 3, at: 25, by: bob, in: &history)
    _ = history.takeBack()
    _ = history.takeBack()
    history.takeBack(try #require(history.latest(3)))
    #expect(history.undone.map(\.setting) == [.swing])
    move(0, 0.25, of: .swing, at: 30, in: &history)
    _ = history.takeBack()
    history.doAgain(swing, limit: 100)
    #expect(history.undone.isEmpty)
  }

  @Test("a channel's edits follow its player's new name, and go with the player")
  func channels() {
    var history = RoomHistory()
    let (old, new, other) = (PlayerName("bob")!, PlayerName("rob")!, PlayerName("eve")!)
    let settings: [Setting] = [
      .channelGain(old), .channelMute(old), .channelSolo(old), .channelGain(other), .channelGain(old),
    ]
    for (number, setting) in settings.enumerated() { move(0, 1, of: setting, at: Double(number) * 10, in: &history) }
    _ = history.takeBack()
    history.rename(old, to: new)
    #expect(
      history.done.map(\.setting) == [.channelGain(new), .channelMute(new), .channelSolo(new), .channelGain(other)])
    #expect(history.undone.map(\.setting) == [.channelGain(new)])
    _ = history.takeBack()
    _ = history.takeBack()
    history.forget(new)
    #expect(history.done.isEmpty && history.undone.map(\.setting) == [.channelGain(other)])
  }
}
