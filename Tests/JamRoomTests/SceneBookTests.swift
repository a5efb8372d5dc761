import JamCore
import Testing

@testable import JamRoom

/// The places for scenes, without a room.
@Suite struct SceneBookTests {
  private let limits = Limits.standard

  @Test("a place has a name and a scene; empty text takes the scene away, and nothing else is a value of it")
  func set() throws {
    let ann = PlayerName("ann")!
    let text = Scene([Scene.Part(player: ann)]).text
    var book = SceneBook()
    for (setting, value) in [(Setting.sceneName(2), "verse"), (.scene(2), text)] {
      try SceneBook.check(setting, .text(value), limits)
      book.set(setting, to: .text(value), limits)
    }
    #expect(book[2].name == "verse" && book[2].scene?.text == text && book[1] == SceneBook.Entry())
    book.set(.scene(2), to: .text(" "), limits)
    #expect(book[2].scene == nil && book[2].name == "verse")
    let before = book
    book.set(.scene(2), to: .bool(true), limits)
    #expect(book == before)
  }

  @Test("names and scenes that are none are refused")
  func refused() {
    #expect(throws: Refusal.badName(.scene, mostCharacters: limits.nameCharacters)) {
      try SceneBook.check(.sceneName(1), .text("a\nb"), limits)
    }
    #expect(throws: Refusal.badScene("?")) { try SceneBook.check(.scene(1), .text("?"), limits) }
    #expect(throws: Refusal.notSettable) { try SceneBook.check(.scene(1), .bool(true), limits) }
  }
}
