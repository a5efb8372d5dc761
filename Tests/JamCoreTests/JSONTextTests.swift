import JamCore
import Testing

@Suite("Texts in JSON") struct JSONTextTests {
  @Test("a text without special characters stays as it is, in quotation marks")
  func plain() {
    for escapes in [JSONText.Escapes.required, .markup, .terminal] {
      #expect(JSONText.quoted("Kick 1", for: escapes) == "\"Kick 1\"")
      #expect(JSONText.quoted("é 🥁", for: escapes) == "\"é 🥁\"")
    }
  }

  @Test("JSON requires few escapes, also where an accent follows")
  func required() {
    #expect("a\"b\\c".quotedJSON == #""a\"b\\c""#)
    #expect("\u{0}\n\u{1f}".quotedJSON == #""\u0000\u000a\u001f""#)
    #expect("\u{7f}<&>\u{2028}".quotedJSON == "\"\u{7f}<&>\u{2028}\"")
    #expect(Array("\"\u{301}".quotedJSON.utf8) == Array("\"\\\"\u{301}\"".utf8))
  }

  @Test("markup and terminals need more escapes")
  func others() {
    #expect(
      JSONText.quoted("é<&>\"\n\u{7f}\u{2028}\u{2029}\u{202e}", for: .markup)
        == #""é\u003c\u0026\u003e\"\u000a\u007f\u2028\u2029"# + "\u{202e}\"")
    #expect(
      JSONText.quoted("é<&>\"\\\n\r\t\u{1b}\u{7f}\u{2028}\u{202e}\u{e0001}", for: .terminal)
        == #""é<&>\"\\\n\r\t\u001b\u007f\u2028\u202e\udb40\udc01""#)
  }
}
