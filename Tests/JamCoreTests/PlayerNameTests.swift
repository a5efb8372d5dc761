import JamCore
import Testing

@Suite struct PlayerNameTests {
  @Test(
    "a name of which nothing is seen is none",
    arguments: ["\u{200B}", "\u{2060}\u{200D}", "\u{3164}", "\u{2800}", "\u{E0041}", "\u{FE0F}"])
  func unseen(_ text: String) { #expect(PlayerName(text) == nil) }

  @Test(
    "names that differ in case or in what is not seen look alike", arguments: ["BOB", "b\u{200B}ob", "bob\u{FE0F}"])
  func alike(_ text: String) throws {
    let bob = try #require(PlayerName("bob"))
    let other = try #require(PlayerName(text))
    #expect(other != bob && other.looksLike(bob))
    #expect(try !#require(PlayerName("rob")).looksLike(bob))
  }

  @Test("a name with a number behind it is as long as a name may be, in characters and in bytes")
  func numbered() throws {
    let flags = try #require(PlayerName(String(repeating: "🇩🇪", count: 16)))
    #expect(flags.text.utf8.count == 128)
    let second = try #require(flags.numbered(2))
    #expect(second.text == String(repeating: "🇩🇪", count: 15) + "-2")
    let long = try #require(PlayerName(String(repeating: "a", count: 32)))
    #expect(long.numbered(10)?.text == String(repeating: "a", count: 29) + "-10")
    #expect(PlayerName("ann")?.numbered(2)?.text == "ann-2")
  }

  @Test("nothing is left of a name that is one character of as many bytes as a name may have")
  func nothingLeft() throws {
    let zalgo = try #require(PlayerName("a" + String(repeating: "\u{301}", count: 63)))
    #expect(zalgo.text.count == 1 && zalgo.text.utf8.count == 127)
    #expect(zalgo.numbered(2) == nil)
  }

  @Test("what people call a kit, a block or a sound has a limit in bytes, too")
  func shownNames() {
    #expect(ShownName.isValid(String(repeating: "ä", count: 32)))
    #expect(!ShownName.isValid("a" + String(repeating: "\u{301}", count: 64)))
  }
}
