import JamCore
import Testing

@testable import JamKit
@testable import JamRoom

/// Kits and sounds by name, without a room.
@Suite struct LibraryTests {
  private func kit(_ id: String, _ categories: String...) -> Kit {
    let pads = categories.map { KitPad(name: "\(id) \($0)", category: $0, duration: .zero) }
    return Kit(id: id, name: id, pads: pads)
  }

  private func library() -> Library {
    Library(
      kits: [kit("one", "kick", "snare"), kit("two", "kick", "hat"), kit("three", "snare")],
      firstKit: Fixture.kit("one"), blocks: BlockLibrary(room: PlayerName("main")!, limits: .standard))
  }

  private func sound(_ level: Float, _ name: String, _ category: PadCategory = .other) -> OwnSound {
    let memory = StudioSound.constant(level, frames: 480).memory
    return OwnSound(PlayableSound(memory.view, owner: memory), hash: memory.hash, name: name, category: category)
  }

  private func refusal(_ library: Library, _ choice: KitChoice) -> Refusal? {
    do throws(Refusal) {
      try library.requireKit(choice, from: "one")
      return nil
    } catch {
      return error
    }
  }

  @Test("next and previous go round, past the kits that were deleted")
  func neighbours() {
    var library = library()
    func go(_ choice: KitChoice, from current: String) -> String? { library.kit(choice, from: current)?.id }
    #expect(go(.next, from: "one") == "two" && go(.next, from: "three") == "one")
    #expect(go(.previous, from: "one") == "three")
    library.kitMarks = ["two"]
    #expect(go(.next, from: "one") == "three" && go(.previous, from: "three") == "one")
    library.kitMarks = ["two", "three"]
    #expect(go(.next, from: "one") == "one", "there is no other")
  }

  @Test("a kit is chosen by its id or its place, which stays where others are deleted")
  func chosen() {
    var library = library()
    library.kitMarks = ["two"]
    #expect(library.kit(.id("three"), from: "one")?.id == "three")
    #expect(library.kit(.index(2), from: "one")?.id == "three")
    #expect(refusal(library, .index(1)) == .kitWasDeleted(1))
    #expect(refusal(library, .id("two")) == .noSuchKit("two", near: "two", known: ["one", "two", "three"]))
    #expect(refusal(library, .index(3)) == .noKitAtIndex(3, count: 3))
    #expect(refusal(library, .index(-1)) == .noKitAtIndex(-1, count: 3))
  }

  @Test("who asks for a kit that is not there is told the nearest and the first eight")
  func unknown() {
    var library = library()
    #expect(
      refusal(library, .id("tree")) == .noSuchKit("tree", near: "three", known: ["one", "two", "three"]))
    library.kits += (4...9).map { kit("kit-\($0)") }
    let known = ["one", "two", "three", "kit-4", "kit-5", "kit-6", "kit-7", "kit-8"]
    #expect(refusal(library, .id("?")) == .noSuchKit("?", near: nil, known: known, hasMore: true))
  }

  @Test("sounds are listed by category, all of them, or those that were brought along; a deleted kit has none")
  func samples() {
    var library = library()
    library.ownSounds = [sound(0.25, "boom", PadCategory(rawValue: "kick")!)]
    func names(_ category: String) -> [String] { library.samples(of: category).map(\.name) }
    #expect(names("kick") == ["one kick", "two kick", "boom"] && names("own") == ["boom"])
    #expect(names("") == ["one kick", "one snare", "two kick", "two hat", "three snare", "boom"])
    library.kitMarks = ["two"]
    #expect(names("kick") == ["one kick", "boom"] && names("hat").isEmpty)
    #expect(library.category(of: .pad(Pad(2)!, of: "two")) == "hat", "a pad may still play it")
    #expect(library.category(of: .pad(Pad(3)!, of: "two")) == nil)
    #expect(library.category(of: library.ownSounds[0].id) == "kick")
  }

  @Test("a sound of several names is listed by each; of two sounds of one name the latest is meant")
  func broughtAlong() {
    var library = library()
    let (old, new) = (sound(0.25, "bark"), sound(0.5, "bark"))
    library.ownSounds = [old, new]
    #expect(library.broughtAlong("bark") == new.id && library.broughtAlong("woof") == nil)
    library.keptSounds = [
      ListedSound(old.id, name: "bark", category: "voice"), ListedSound(old.id, name: "woof", category: "fx"),
    ]
    #expect(library.broughtAlong("bark") == old.id, "what is kept is what there is")
    #expect(library.broughtAlong.map(\.name) == ["bark", "woof"])
    let called = ["bark", "meow", nil].map { library.listed(old, as: $0) }
    #expect(called.map(\.name) == ["bark", "woof", "woof"] && called.map(\.category) == ["voice", "fx", "fx"])
    #expect(library.listed(new, as: "bark").category == "other", "nobody knows it by another name")
  }
}
