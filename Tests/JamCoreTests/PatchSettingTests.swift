import JamCore
import Testing

/// The rows of a patch.
@Suite struct PatchSettingTests {
  @Test("every setting has a path of its own, and what it is given comes back")
  func rows() {
    #expect(Set(PatchSetting.allCases.map(\.row.path)).count == PatchSetting.allCases.count)
    for setting in PatchSetting.allCases {
      var settings = PatchSettings()
      let other: SettingValue
      switch setting.row.kind {
      case .float(let range?, _): other = .float(Float(range.upperBound))
      case .integer(let range?): other = .integer(Int32(range.upperBound))
      case .choice(let words): other = .text(words.last ?? "")
      default: other = .bool(true)
      }
      let plain = settings[setting]
      settings[setting] = other
      #expect(settings[setting] == other)
      #expect(setting.row.kind.nearest(plain) == plain, "the default of \(setting.row.path) is in its range")
      #expect(PatchSetting.allCases.filter { settings[$0] != PatchSettings()[$0] } == (plain == other ? [] : [setting]))
    }
  }

  @Test("what is out of range sets the nearest, and another type nothing")
  func bounds() {
    var settings = PatchSettings()
    settings[.cutoff] = .float(1e9)
    #expect(settings.cutoff == 20_000)
    settings[.subOctave] = .integer(-9)
    #expect(settings.subOctave == -2)
    settings[.firstShape] = .text("noise")
    #expect(settings.first.shape == .saw)
    settings[.mode] = .float(1)
    #expect(settings.mode == .poly)
  }
}
