import JamCore
import Testing

@Suite struct SettingRowTests {
  @Test("every setting of a pad is held by its row's name, within its range, and takes no other type")
  func padSettings() {
    for setting in PadSetting.allCases {
      let usual = PadSettings()
      #expect(setting.row.kind.nearest(usual[setting]) == usual[setting], "\(setting)")
      for value in [.float(-1_000), .float(1_000), .integer(-9), .integer(99), .bool(true)] as [SettingValue] {
        var settings = usual
        settings[setting] = value
        #expect(settings[setting] == setting.row.kind.nearest(value) ?? usual[setting], "\(setting) \(value)")
      }
      var settings = usual
      for other in PadSetting.allCases where other != setting { settings[other] = other.example }
      #expect(settings[setting] == usual[setting], "\(setting) is another's, too")
      settings[setting] = setting.example
      #expect(settings[setting] == setting.example && setting.example != usual[setting], "\(setting)")
    }
  }

  @Test("numbers beyond a range are its end, and words that there are not are none")
  func nearest() {
    #expect(SettingKind.decibels.nearest(.float(-61)) == .float(-60))
    #expect(SettingKind.decibels.nearest(.float(13)) == .float(12))
    #expect(SettingKind.float(nil).nearest(.float(1e9)) == .float(1e9))
    #expect(SettingKind.integer(1...8).nearest(.integer(0)) == .integer(1))
    #expect(SettingKind.integer(nil).nearest(.integer(.min)) == .integer(.min))
    #expect(SettingKind.choice(["fast", "best"]).nearest(.text("best")) == .text("best"))
    #expect(SettingKind.choice(["fast", "best"]).nearest(.text("worst")) == nil)
    #expect(SettingKind.bool.nearest(.integer(1)) == nil)
  }

  @Test("a score says of a hit all that a kit says of its pad, what came later last")
  func voicings() {
    let ofKits = Set(PadSetting.allCases.filter { $0.row.kitName != nil })
    // A hit names how its sound was stretched, also where its beats asked for that.
    #expect(Set(PadSetting.ofVoicings) == ofKits.subtracting([.beats]))
    #expect(PadSetting.ofVoicings.count == ofKits.count - 1)
    // Scores hold them by their places: none ever has another.
    let inEveryScore: [PadSetting] = [
      .gain, .pan, .panRandom, .start, .decay, .transpose, .transposeRandom, .stretch, .stretchQuality, .mode, .choke,
      .voices,
    ]
    #expect(Array(PadSetting.ofVoicings.prefix(PadSetting.countInEveryScore)) == inEveryScore)
    #expect(PadSetting.ofVoicings[inEveryScore.count] == .gainRandom)
    #expect(Set(PadSetting.allCases.compactMap(\.row.kitName)).count == ofKits.count)
  }

  @Test("everybody is told of what is the room's, and a host's undo takes back nothing else")
  func scopes() {
    #expect(Setting.swing.row.scope.isRoom && Setting.lock.row.scope.isRoom)
    #expect(!Setting.gain.row.scope.isRoom && !Setting.role.row.scope.isRoom)
    #expect(Setting.pad(.solo, Pad.all[0]).row.isOfKit && !Setting.padLit(Pad.all[0]).row.isOfKit)
    #expect(Setting.channelGain(PlayerName("ann")!).row.undo == .room && Setting.playing.row.undo == .none)
  }
}

extension PadSetting {
  /// A value that is none of the usual ones.
  fileprivate var example: SettingValue {
    switch row.kind {
    case .float(let range?, _): .float(Float(range.upperBound))
    case .integer(let range?): .integer(self == .voices ? 1 : Int32(range.upperBound))
    case .bool: .bool(true)
    case .choice(let words): .text(words[words.count - 1])
    default: .text("")
    }
  }
}
