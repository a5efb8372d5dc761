import JamCore
import JamEngine
import Testing

@testable import JamKit
@testable import JamRoom

@Suite struct SavingTests {
  @Test("each saves so much at once, then one more every while, and nobody's share is another's")
  func quota() {
    var quota = SavingQuota(atOnce: 3, seconds: 10)
    func take(_ saver: String, _ now: Double) -> Bool { quota.take(by: saver, at: now) }
    #expect((0..<4).map { _ in take("ann", 100) } == [true, true, true, false])
    // One at a time, in the end; and a clock that goes back gives nothing.
    let taken = [
      take("bob", 100), take("ann", 109), take("ann", 110.5), take("ann", 110.5), take("ann", 0),
    ]
    #expect(taken == [true, false, true, false, false])
    #expect((0..<4).map { _ in take("ann", 1_000) } == [true, true, true, false])
  }

  @Test("several are taken together or not at all, and the wait for them is told")
  func several() {
    var quota = SavingQuota(atOnce: 16, seconds: 120)
    let first = quota.take(10, by: "ann", at: 0)
    let tooMany = quota.take(7, by: "ann", at: 0)
    #expect(first && !tooMany)
    #expect(quota.wait(of: "ann", for: 6, at: 0) == 0)
    #expect(quota.wait(of: "ann", for: 7, at: 0) == 120)
    #expect(quota.wait(of: "ann", for: 17, at: 0) == nil)
    #expect(quota.wait(of: "bob", for: 16, at: 0) == 0)
    // What is spent beyond the share is paid back first.
    quota.spend(20, by: "ann", at: 0)
    #expect(quota.wait(of: "ann", for: 1, at: 0) == 1_800.0)
    let later = quota.take(1, by: "ann", at: 15 * 120)
    #expect(later)
  }

  @Test("one file is read at a time; one more of each sender waits, and each gets its turn")
  func turns() {
    var turns = DeliveryTurns()
    func enter(_ sender: String) -> DeliveryTurns.Entry { turns.enter(sender) {} }
    #expect(enter("ann") == .begins)
    #expect(enter("ann") == .waits)
    #expect(enter("ann") == .refused)
    #expect((1..<8).map { enter("\($0)") } == Array(repeating: .waits, count: 7))
    #expect(enter("bob") == .refused)
    let next = turns.leave()?.sender
    #expect(next == "ann" && turns.current == "ann")
    #expect(enter("bob") == .waits)
    for sender in ["1", "2", "3", "4", "5", "6", "7", "bob"] {
      let next = turns.leave()?.sender
      #expect(next == sender)
    }
    let last = turns.leave()?.sender
    #expect(last == nil && turns.current == nil && enter("eve") == .begins)
  }

  @Test("what it remembers of savers is bounded")
  func bounded() {
    var quota = SavingQuota(atOnce: 1, seconds: 1)
    for number in 0..<5_000 { _ = quota.take(by: "\(number)", at: Double(number) / 1_000_000) }
    #expect(quota.savers <= 4_096)
  }

  @Test("who has used up its share is not forgotten for the many who saved less")
  func crowd() {
    var quota = SavingQuota(atOnce: 2, seconds: 1_000)
    func take(_ saver: String) -> Bool { quota.take(by: saver, at: 0) }
    let own = [take("ann"), take("ann")]
    for number in 0..<4_110 { _ = take("\(number)") }
    let more = take("ann")
    #expect(own == [true, true] && !more)
  }

  private static func limits(_ change: (inout Limits) -> Void) -> Limits {
    var limits = Limits.standard
    change(&limits)
    return limits
  }

  private func refusal(_ outcome: Outcome) -> Refusal? { outcome.refusal }

  @Test(
    "a stranger's blocks come to an end while a host's go on; edits of one's own are free; a host deletes what others saved"
  )
  func blocks() throws {
    let limits = SavingTests.limits {
      $0.blocksPerRoom = 6
      $0.blocksForHosts = 2
      $0.blocksAtOnce = 3
    }
    var stage = Stage(Fixture.state(limits: limits))
    let host = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    let cleo = try stage.join("cleo")
    func copy(_ name: String, by id: PlayerID) -> Refusal? {
      refusal(stage.step(.copyBlock("rock fill", to: name), by: id, at: 0))
    }
    #expect((1...3).map { copy("b\($0)", by: bob) } == [nil, nil, nil])
    #expect(copy("b4", by: bob) == .blocksSavedTooFast(secondsPerBlock: 30))
    let step = Command.setBlockStep("b1", Pad(1)!, step: 1, velocity: 1)
    #expect(refusal(stage.step(step, by: bob, at: 0)) == nil)
    #expect(copy("c1", by: cleo) == nil)
    #expect(copy("c2", by: cleo) == .blocksFull(most: 4))
    #expect(copy("a1", by: host) == nil && copy("a2", by: host) == nil)
    let owners = [("bob", 3), ("ann", 2), ("cleo", 1)].map { Refusal.BlockOwner(name: $0, count: $1) }
    #expect(copy("a3", by: host) == .allBlocksFull(most: 6, owners: owners))
    #expect(refusal(stage.step(.deleteBlock("b1", of: PlayerName("bob")!), by: cleo, at: 0)) == .hostOnly(.deleteBlock))
    #expect(refusal(stage.step(.listBlocksOf(PlayerName("bob")!), by: cleo, at: 0)) == .hostOnly(.listBlocks))
    let listed = stage.step(.listBlocksOf(PlayerName("bob")!), by: host, at: 0)
    #expect(listed.events.count { if case .blockItem = $0 { true } else { false } } == 3)
    // Nobody shared it: whose it was is told as well.
    let deleted = stage.step(.deleteBlock("b1", of: PlayerName("bob")!), by: host, at: 0)
    #expect(deleted.told.map(\.event) == [.blockGone("b1"), .blockGone("b1")])
    #expect(copy("a3", by: host) == nil)
  }

  @Test("more hits than a block may have are refused as it is saved, and not at the next start")
  func hits() throws {
    let limits = SavingTests.limits { $0.hitsPerBlock = 8 }
    var stage = Stage(Fixture.state(limits: limits))
    let ann = try stage.join("ann")
    for step in 1...9 {
      stage.step(.set(.step(Pad(1)!, step), .float(1)), by: ann, at: 0)
    }
    let saved = refusal(stage.step(.saveBlock("a", layer: 0, from: 1, bars: nil), by: ann, at: 0))
    #expect(saved == .tooManyHitsInBars(most: 8))
  }

  @Test("a kit that a host deleted is chosen and listed no more, and the others keep their places")
  func kits() throws {
    var stage = Stage(Fixture.state(kits: ["one", "two", "three"].map { Fixture.kit($0) }))
    let host = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    #expect(refusal(stage.step(.deleteKit("two"), by: bob, at: 0)) == .hostOnly(.deleteKit))
    #expect(refusal(stage.step(.deleteKit("one"), by: host, at: 0)) == .firstKitStays("one"))
    #expect(stage.step(.deleteKit("two"), by: host, at: 0).sounds.count == 1)
    stage.effects = []
    stage.state.kitGone("two")
    stage.state.kitGone("two")
    #expect(Outcome(stage.effects).events == [.kitGone("two")])
    #expect(
      refusal(stage.step(.chooseKit(.id("two")), by: bob, at: 0))
        == .noSuchKit("two", near: "two", known: ["one", "two", "three"]))
    #expect(refusal(stage.step(.chooseKit(.index(1)), by: bob, at: 0)) == .kitWasDeleted(1))
    #expect(stage.step(.chooseKit(.next), by: bob, at: 0).wantedKits == ["three"])
    let listed = stage.step(.listKits, by: bob, at: 0).events
    #expect(
      listed.compactMap { if case .kitItem(let index, let id, _, _, _) = $0 { "\(index) \(id)" } else { nil } }
        == ["0 one", "2 three"])
  }

  @Test("a sound that a host deleted is listed no more, by its name or by its id with all its names")
  func sounds() throws {
    var stage = Stage()
    let host = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    let memory = StudioSound.constant(0.25, frames: 480).memory
    for name in ["bark", "woof"] {
      let sound = OwnSound(PlayableSound(memory.view, owner: memory), hash: memory.hash, name: name, category: .other)
      stage.state.made(sound, for: nil, at: .zero)
    }
    #expect(refusal(stage.step(.deleteSample("bark"), by: bob, at: 0)) == .hostOnly(.deleteSound))
    #expect(refusal(stage.step(.deleteSample("one/1"), by: host, at: 0)) == .notBroughtAlong("one/1"))
    let first = stage.step(.deleteSample("bark"), by: host, at: 0)
    #expect(first.events == [.sampleGone(id: .own("\(memory.hash)"), name: "bark")] && first.sounds.count == 1)
    #expect(stage.step(.deleteSample("own/\(memory.hash)"), by: host, at: 0).events.count == 1)
    #expect(refusal(stage.step(.listSamples("own"), by: bob, at: 0)) == .nothingBroughtAlong)
  }

  @Test("own sounds that lie on the disk and on no pad are let go of, the others stay")
  func letGo() {
    var stage = Stage()
    let memory = StudioSound.constant(0.25, frames: 480).memory
    let sound = OwnSound(PlayableSound(memory.view, owner: memory), hash: memory.hash, name: "bark", category: .other)
    stage.state.made(sound, for: nil, at: .zero)
    stage.state.letGoOfKeptSounds()
    #expect(stage.state.library.ownSounds.count == 1, "without a folder it would be lost")
    stage.state.library.keptSounds = [ListedSound(sound)]
    stage.state.letGoOfKeptSounds()
    #expect(stage.state.library.ownSounds.isEmpty)
    #expect(stage.state.library.broughtAlong("bark") == sound.id)
  }
}
