internal import JamCore
internal import Testing

@Suite("Names of exported files") struct FileNameTests {
  @Test(
    "a name of a device gets an underscore in front, with any ending and in any case",
    arguments: [
      "CON", "con", "Prn", "AUX", "nul", "COM1", "com9", "LPT1", "lpt9", "COM²", "nul.wav", "con.tar.gz", "aux .x",
      "CONIN$", "conout$",
    ])
  func devices(name: String) {
    #expect(FileName.portable(name) == "_\(name)")
  }

  @Test(
    "names that only resemble one stay",
    arguments: ["CON 2", "conga", "COM", "COM0", "COM10", "LPT", "LPT²²", "my con", "anna", "Jäm 🥁", "a.b", "a b"])
  func others(name: String) {
    #expect(FileName.portable(name) == name)
  }

  @Test("dots and spaces at the end go, also where a name of a device remains")
  func ends() {
    #expect(FileName.portable("Harbour. . ") == "Harbour")
    #expect(FileName.portable("con. .") == "_con")
    #expect(FileName.portable(" a ") == " a")
  }

  @Test("characters that Windows forbids, and control characters, become underscores")
  func characters() {
    #expect(FileName.portable("a<b>c:d\"e/f\\g|h?i*j") == "a_b_c_d_e_f_g_h_i_j")
    #expect(FileName.portable("a\u{0}b\nc\u{7f}d\u{85}e") == "a_b_c_d_e")
  }

  @Test("no name is empty, hidden, a folder, or too long for a disk")
  func bounds() {
    #expect(FileName.portable("") == "_" && FileName.portable("..") == "_" && FileName.portable(" ") == "_")
    #expect(FileName.portable(".hidden") == "_.hidden" && FileName.portable("../x") == "_.._x")
    #expect(FileName.portable(String(repeating: "🥁", count: 90)) == String(repeating: "🥁", count: 50))
    #expect(FileName.portable(String(repeating: "a", count: 99) + ".bc") == String(repeating: "a", count: 99))
  }
}
