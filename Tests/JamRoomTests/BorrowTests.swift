import JamCore
import JamEngine
import Testing

@testable import JamRoom

/// Layers that players borrow from each other. At 120 bpm a bar has 96,000 frames, four beats.
@Suite struct BorrowTests {
  private static let bar: Int64 = 96_000
  private static let (ann, bob) = (PlayerName("ann")!, PlayerName("bob")!)
  private let one = Pad(1)!
  private let three = Pad(3)!

  /// Goes on to a frame, with everything that falls due.
  private func go(_ stage: inout Stage, to frame: Int64) {
    while stage.state.nextDeadline.count < frame { _ = stage.tick(stage.state.nextDeadline.count) }
    _ = stage.tick(frame)
  }

  /// A room with ann, who is a host, and bob, whose loop of two bars has one layer, recorded in bars
  /// 2 and 3: pad 3 on the second beat of the first of them, and of the second. It is bar 4.
  private func stage() throws -> (stage: Stage, ann: PlayerID, bob: PlayerID) {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    stage.step(.set(.loopBars, .integer(2)), by: bob, at: 500)
    stage.step(.loop(.record), by: bob, at: 1_000)
    for bar in 1...Int64(2) {
      go(&stage, to: bar * Self.bar + 24_000 - 240)
      stage.step(.hit(three, .full), by: bob, at: bar * Self.bar + 24_000 - 240)
    }
    go(&stage, to: 3 * Self.bar + 1_000)
    #expect(stage.state.loopers[bob].loop.layerCount == 1)
    return (stage, ann, bob)
  }

  /// The frames at which a player's loop sounds in the two bars from a bar on.
  private func heard(_ name: PlayerName, from bar: Int64, in stage: inout Stage) -> [Int64] {
    stage.effects = []
    while stage.state.nextDeadline.count < (bar + 2) * Self.bar - 2_000 {
      stage.state.tick(at: stage.state.nextDeadline)
    }
    let frames = Outcome(stage.effects).log.compactMap { entry -> Int64? in
      guard entry.player == name, case .command(.loopHit) = entry.action else { return nil }
      return entry.frame.count
    }
    return frames.filter { $0 >= bar * Self.bar && $0 < (bar + 2) * Self.bar }
  }

  private let beats: (Int64) -> [Int64] = { bar in
    [bar * BorrowTests.bar + 24_000, (bar + 1) * BorrowTests.bar + 24_000]
  }

  @Test("the copy sounds where the owner's layer did, which rests; both name the other")
  func borrows() throws {
    var (stage, ann, bob) = try stage()
    let outcome = stage.step(.borrow(Self.bob, layer: 1), by: ann, at: 3 * Self.bar + 2_000)
    #expect(outcome.refusal == nil)
    let (copy, original) = (stage.state.loopers[ann].loop, stage.state.loopers[bob].loop)
    #expect(copy[1]?.owner == Self.bob && original[1]?.borrower == Self.ann)
    #expect(copy.isPlaying && copy.length == Beats(8) && copy.origin == original.origin)
    #expect(original[1]?.isMuted == true)
    #expect(outcome.events.contains(.value(.layerMute(1), .bool(true))))
    let layers = try #require(stage.state.noteEvents(of: Self.ann, for: bob)).compactMap { event in
      if case .loopLayer(let layer) = event { layer.owner } else { nil }
    }
    #expect(layers == [Self.bob])
    #expect(heard(Self.ann, from: 5, in: &stage) == beats(5))
    #expect(heard(Self.bob, from: 7, in: &stage) == [])
  }

  @Test("given back by its number, by deleting, and by undo, the owner's layer plays again, and redo borrows again")
  func returns() throws {
    for command in [Command.returnLayer(1), .deleteLayer(1), .undo] {
      var (stage, ann, bob) = try stage()
      stage.step(.borrow(Self.bob, layer: 1), by: ann, at: 3 * Self.bar + 2_000)
      go(&stage, to: 3 * Self.bar + 10_000)
      #expect(stage.step(command, by: ann, at: 3 * Self.bar + 12_000).refusal == nil)
      go(&stage, to: 3 * Self.bar + 15_000)
      #expect(stage.state.loopers[ann].loop.isEmpty)
      let loop = stage.state.loopers[bob].loop
      #expect(loop[1]?.loan == nil && loop[1]?.isMuted == false)
      #expect(heard(Self.bob, from: 5, in: &stage) == beats(5))
      #expect(stage.step(command == .undo ? .redo : .undo, by: ann, at: 7 * Self.bar).refusal == nil)
      go(&stage, to: 7 * Self.bar + 4_000)
      #expect(stage.state.loopers[ann].loop[1]?.owner == Self.bob)
      #expect(stage.state.loopers[bob].loop[1]?.borrower == Self.ann)
      #expect(stage.state.loopers[bob].loop[1]?.isMuted == true)
    }
  }

  @Test("given back as its borrower leaves, also where more of the borrower's loop plays on")
  func leaves() throws {
    for hasMore in [false, true] {
      var (stage, ann, bob) = try stage()
      if hasMore { stage.step(.set(.step(one, 1), .float(1)), by: ann, at: 3 * Self.bar + 1_500) }
      stage.step(.borrow(Self.bob, layer: 1), by: ann, at: 3 * Self.bar + 2_000)
      stage.step(.leave, by: ann, at: 3 * Self.bar + 12_000)
      go(&stage, to: 3 * Self.bar + 15_000)
      #expect(stage.state.loopers[bob].loop[1]?.loan == nil)
      #expect(stage.state.loopers[bob].loop[1]?.isMuted == false)
      #expect(stage.state.roster.isTaken(ann) == hasMore)
    }
  }

  @Test("in a loop of another length and beginning, the copy sounds at the owner's times")
  func shifted() throws {
    var (stage, ann, _) = try stage()
    // A loop of one bar that begins in bar 5: half a round behind that of bob.
    stage.step(.set(.loopBars, .integer(1)), by: ann, at: 3 * Self.bar + 1_500)
    stage.step(.loop(.record), by: ann, at: 3 * Self.bar + 2_000)
    go(&stage, to: 4 * Self.bar + 48_000)
    stage.step(.hit(one, .full), by: ann, at: 4 * Self.bar + 48_000)
    go(&stage, to: 5 * Self.bar + 1_000)
    let before = stage.state.loopers[ann].loop
    #expect(before.layerCount == 1 && before.length == Beats(4))
    #expect(stage.step(.borrow(Self.bob, layer: 1), by: ann, at: 5 * Self.bar + 2_000).refusal == nil)
    let after = stage.state.loopers[ann].loop
    #expect(after.length == before.length && after.origin == before.origin && after.layerCount == 2)
    let own = beats(7)
    let found = heard(Self.ann, from: 7, in: &stage)
    #expect(Set(own).isSubset(of: found) && found.count == 4)
    // Its own layer stays as the copy goes.
    stage.step(.returnLayer(2), by: ann, at: 10 * Self.bar)
    #expect(stage.state.loopers[ann].loop.layerCount == 1)
    #expect(stage.state.loopers[ann].loop.length == Beats(4))
  }

  @Test("a layer that its player had muted is muted again as it is given back; a lent one stays lent in a scene")
  func muted() throws {
    var (stage, ann, bob) = try stage()
    stage.step(.set(.layerMute(1), .bool(true)), by: bob, at: 3 * Self.bar + 1_500)
    stage.step(.borrow(Self.bob, layer: 1), by: ann, at: 3 * Self.bar + 2_000)
    #expect(stage.state.loopers[ann].loop[1]?.isMuted == false)
    stage.step(.returnLayer(1), by: ann, at: 3 * Self.bar + 12_000)
    go(&stage, to: 3 * Self.bar + 16_000)
    #expect(stage.state.loopers[bob].loop[1]?.isMuted == true && stage.state.loopers[bob].loop[1]?.loan == nil)
    stage.step(.set(.layerMute(1), .bool(false)), by: bob, at: 3 * Self.bar + 20_000)
    stage.step(.borrow(Self.bob, layer: 1), by: ann, at: 3 * Self.bar + 22_000)
    stage.state.loopers[bob].loop.mute([], at: .zero)
    #expect(stage.state.loopers[bob].loop[1]?.isMuted == true)
  }

  @Test("a scene keeps of a lent layer whether its player has muted it")
  func scene() throws {
    var (stage, ann, bob) = try stage()
    stage.step(.borrow(Self.bob, layer: 1), by: ann, at: 3 * Self.bar + 2_000)
    stage.step(.keepScene(1), by: ann, at: 3 * Self.bar + 3_000)
    #expect(try stage.state.value(of: .scene(1), for: bob) == .text("ann loop; bob loop"))
  }

  @Test("a new layer under the number of one that was lent is not lent")
  func anotherLayer() throws {
    var (stage, ann, bob) = try stage()
    stage.step(.borrow(Self.bob, layer: 1), by: ann, at: 3 * Self.bar + 2_000)
    stage.step(.deleteLayer(1), by: bob, at: 3 * Self.bar + 12_000)
    stage.step(.loop(.record), by: bob, at: 3 * Self.bar + 14_000)
    go(&stage, to: 4 * Self.bar + 24_000)
    stage.step(.hit(one, .full), by: bob, at: 4 * Self.bar + 24_000)
    go(&stage, to: 6 * Self.bar + 4_000)
    #expect(stage.state.loopers[bob].loop[1]?.isMuted == false && stage.state.loopers[bob].loop[1]?.loan == nil)
    #expect(stage.state.loopers[ann].loop[1]?.owner == Self.bob)
  }

  @Test("somebody who comes by the name of an owner whose loop is gone has lent nothing")
  func anotherOwner() throws {
    var (stage, ann, bob) = try stage()
    stage.step(.borrow(Self.bob, layer: 1), by: ann, at: 3 * Self.bar + 2_000)
    stage.state.leave(bob, playsOn: false, at: Moment(arrival: Frames(3 * Self.bar + 6_000)))
    go(&stage, to: 3 * Self.bar + 10_000)
    let other = try stage.join("bob", at: 3 * Self.bar + 12_000)
    stage.step(.set(.loopBars, .integer(2)), by: other, at: 3 * Self.bar + 13_000)
    stage.step(.loop(.record), by: other, at: 3 * Self.bar + 14_000)
    go(&stage, to: 4 * Self.bar + 24_000)
    stage.step(.hit(one, .full), by: other, at: 4 * Self.bar + 24_000)
    go(&stage, to: 6 * Self.bar + 4_000)
    let loop = stage.state.loopers[other].loop
    #expect(loop[1] != nil && loop[1]?.isMuted == false && loop[1]?.loan == nil)
    #expect(stage.state.loopers[ann].loop[1]?.owner == Self.bob)
  }

  @Test("what may not be borrowed is refused")
  func rights() throws {
    var (stage, ann, bob) = try stage()
    let cat = try stage.join("cat", at: 3 * Self.bar + 1_000)
    func refusal(_ command: Command, by id: PlayerID) -> Refusal? {
      stage.step(command, by: id, at: 3 * Self.bar + 2_000).refusal
    }
    let borrow = Command.borrow(Self.bob, layer: 1)
    #expect(refusal(borrow, by: bob) == .ownLayer(1))
    #expect(refusal(.borrow(Self.bob, layer: 7), by: ann) == .noSuchLayerOf(Self.bob, 7))
    #expect(refusal(.borrow(PlayerName("dora")!, layer: 1), by: ann) != nil)
    #expect(refusal(.returnLayer(1), by: bob) == .notBorrowed(1))
    _ = refusal(.set(.lock, .text("loops")), by: ann)
    #expect(refusal(borrow, by: cat) == .locked(.loops))
    _ = refusal(.set(.lock, .text("none")), by: ann)
    _ = refusal(.set(.channelMute(Self.bob), .bool(true)), by: ann)
    #expect(refusal(borrow, by: cat) == .playerMuted(Self.bob))
    _ = refusal(.set(.channelMute(Self.bob), .bool(false)), by: ann)
    #expect(refusal(borrow, by: ann) == nil)
    #expect(refusal(borrow, by: cat) == .layerOnLoan(1, of: Self.bob, with: Self.ann))
    #expect(refusal(.borrow(Self.ann, layer: 1), by: cat) == .layerOnLoan(1, of: Self.ann, with: Self.bob))
  }

  @Test("under another name the loan holds")
  func renamed() throws {
    var (stage, ann, bob) = try stage()
    stage.step(.borrow(Self.bob, layer: 1), by: ann, at: 3 * Self.bar + 2_000)
    let moment = Moment(arrival: Frames(3 * Self.bar + 3_000))
    let mark = stage.state.loopers[ann].loop.mark
    stage.state.rename(bob, to: PlayerName("bo")!, at: moment)
    stage.state.rename(ann, to: PlayerName("anna")!, at: moment)
    go(&stage, to: 3 * Self.bar + 8_000)
    #expect(stage.state.loopers[ann].loop[1]?.owner == PlayerName("bo")!)
    // So clients ask for the layers again.
    #expect(stage.state.loopers[ann].loop.mark != mark)
    #expect(stage.state.loopers[bob].loop[1]?.borrower == PlayerName("anna")!)
    #expect(stage.state.loopers[bob].loop[1]?.isMuted == true)
  }

  @Test("a kept room comes back with its loans")
  func kept() throws {
    let kits = RandomKits()
    var stage = Stage(Fixture.state(kits: kits.kits))
    let ann = try stage.join("ann")
    let bob = try stage.join("bob")
    stage.step(.set(.step(one, 1), .float(1)), by: bob, at: 1_000)
    stage.step(.borrow(Self.bob, layer: 1), by: ann, at: 2_000)
    #expect(stage.state.loopers[ann].loop[1]?.isSteps == false)
    let image = RoomImage(of: stage.state, at: Frames(3_000))
    let items = RoomImage.change(from: nil, to: image).items.map { ($0.name, $0.values) }
    var again = Stage(Fixture.state(kits: kits.kits))
    again.state.comeBack(
      KeptRoom(Dictionary(items, uniquingKeysWith: { $1 }), from: RandomSource(kits).library))
    let (annAgain, bobAgain) = (
      try #require(again.state.roster.player(named: Self.ann)),
      try #require(again.state.roster.player(named: Self.bob))
    )
    #expect(again.state.loopers[annAgain].loop.loans == stage.state.loopers[ann].loop.loans)
    #expect(again.state.loopers[bobAgain].loop.loans == stage.state.loopers[bob].loop.loans)
    again.state.roster.greet(annAgain)
    again.state.roster.greet(bobAgain)
    again.state.welcomeBack(at: .zero)
    #expect(again.step(.returnLayer(1), by: annAgain, at: 10_000).refusal == nil)
    go(&again, to: 20_000)
    #expect(again.state.loopers[bobAgain].loop[1]?.isMuted == false)
  }

  @Test("a loan and its end are changes of the kept room")
  func change() throws {
    var (stage, ann, bob) = try stage()
    let rows = [ann, bob].map { "player/\($0.index)/loans" }
    let before = RoomImage(of: stage.state, at: .zero)
    stage.step(.borrow(Self.bob, layer: 1), by: ann, at: 3 * Self.bar + 2_000)
    let lent = RoomImage(of: stage.state, at: .zero)
    #expect(Set(rows).isSubset(of: RoomImage.change(from: before, to: lent).items.map(\.name)))
    stage.step(.returnLayer(1), by: ann, at: 3 * Self.bar + 12_000)
    go(&stage, to: 3 * Self.bar + 16_000)
    let after = RoomImage(of: stage.state, at: .zero)
    #expect(Set(rows).isSubset(of: RoomImage.change(from: lent, to: after).gone))
  }

  @Test("a kept loan of a layer that cannot be is none", arguments: [Int64.min, 0, .max])
  func impossible(number: Int64) {
    let rows: [[KeptValue]] = [
      [.integer(number), .text("lent"), .text("ann"), .flag(false)],
      [.integer(1), .text("borrowed"), .text("ann"), .integer(number), .integer(1)],
    ]
    for row in rows {
      var reader = KeptReader(row, KeptSounds())
      let loan = try? reader.take(KeptLoan.self)
      #expect(loan == nil)
    }
  }

  @Test("a project has the loans")
  func project() throws {
    var (stage, ann, bob) = try stage()
    stage.step(.borrow(Self.bob, layer: 1), by: ann, at: 3 * Self.bar + 2_000)
    let items = ProjectImage(of: stage.state).items
    #expect(items.filter { $0.name.hasSuffix("/loans") }.count == 2)
    let part = try #require(ProjectPart(stage.state.wholePlayer(ann), newcomer: stage.state.newcomer))
    #expect(part.music.loop.loans == [KeptLoan(number: 1, loan: .borrowed(from: Self.bob, layer: 1, pass: 0))])
    #expect(stage.state.loopers[bob].loop.loans == [KeptLoan(number: 1, loan: .lent(to: Self.ann, wasMuted: false))])
  }
}
