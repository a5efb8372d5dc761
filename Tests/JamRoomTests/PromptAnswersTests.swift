import JamCore
import JamKit
import Testing

@testable import JamRoom

/// What is ordered where there is no background, by the studio that answers with it.
@Suite struct PromptAnswersTests {
  private let pad = Pad(1)!

  private func studio() throws -> Studio {
    let studio = try Studio(
      Studio.kit("one", [.constant(0.25, frames: 480)]), others: ["two", "three"].map { Kit(id: $0, name: $0) })
    studio.expectRefusals()
    return studio
  }

  @Test("what only a live room makes is refused, and may be asked for again")
  func onlyLive() throws {
    for command in [.record(pad), .grab(pad, bars: 1, player: nil), .saveKit("mine")] as [Command] {
      let studio = try studio()
      studio.send(command, command, at: 200_000)
      studio.run(until: 200_400)
      #expect(studio.refusals == [.notInScore, .notInScore], "\(command)")
    }
  }

  @Test("a kit is there at once where it can be read; one that cannot is refused, and the old one stays")
  func kits() throws {
    let studio = try studio()
    studio.answers.kit = { id throws(KitError) in
      guard id == "two" else { throw KitError(id, .noPads) }
      return Studio.kit(id, [.constant(0.125, frames: 480)])
    }
    studio.send(.chooseKit(.id("two")), .hit(pad, .full), at: 4_800)
    studio.send(.chooseKit(.id("three")), at: 9_600)
    studio.run(until: 12_000)
    #expect(studio.left[4_800] == 0.125 && studio.state[studio.ann]?.hands.kitID == "two")
    #expect(studio.refusals == [.kitUnreadable(KitError("three", .noPads).description)])
  }

  @Test("a sound of nobody's is refused, and the pad keeps its own")
  func ownSound() throws {
    let studio = try studio()
    let hash = String(repeating: "0", count: 64)
    studio.set(.padSample(pad), .text("own/\(hash)"), at: 4_800)
    studio.hit(1, at: 9_600)
    studio.run(until: 12_000)
    #expect(studio.refusals == [.soundUnreadable(KitError("own/00000000…", .noSuchSound).description)])
    #expect(studio.left[9_600] == 0.25)
  }

  @Test("a stretched sound is there at once; where it cannot be made the pad sounds as before, and its player is told")
  func stretch() throws {
    for isMade in [true, false] {
      let studio = try studio()
      let made = StudioSound.constant(0.125, frames: 960).memory
      studio.answers.stretched = { _, _, _ in isMade ? PlayablePad(PlayableSound(made.view, owner: made)) : nil }
      studio.set(.pad(.stretch, pad), .float(2), at: 4_800)
      studio.hit(1, at: 9_600)
      studio.run(until: 12_000)
      #expect(studio.left[9_600] == (isMade ? 0.125 : 0.25))
      #expect(studio.refusals?.count == (isMade ? 0 : 1))
    }
  }
}
