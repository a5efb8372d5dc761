import Testing

@testable import JamCore

@Suite("Effect settings")
struct EffectSettingsTests {
  @Test("all paths differ, all defaults lie in their ranges, and all can be set and read")
  func rows() {
    #expect(Set(EffectSetting.allCases.map(\.row.path)).count == EffectSetting.allCases.count)
    #expect(Set(RoomEffectSetting.allCases.map(\.row.path)).count == RoomEffectSetting.allCases.count)
    for setting in EffectSetting.allCases {
      let value = EffectSettings()[setting]
      #expect(setting.row.kind.nearest(value) == value, "\(setting)")
    }
    for setting in RoomEffectSetting.allCases {
      let value = RoomEffectSettings()[setting]
      #expect(setting.row.kind.nearest(value) == value, "\(setting)")
    }
  }

  /// Another value that may be.
  static func other(_ kind: SettingKind) -> SettingValue {
    switch kind {
    case .float(let range?, _): .float(Float(range.lowerBound * 0.7 + range.upperBound * 0.3))
    case .integer(let range?): .integer(Int32(range.upperBound))
    case .choice(let words): .text(words.last ?? "")
    default: .bool(false)
    }
  }

  @Test("each is set alone, by value and by number, and one out of range is the nearest")
  func setting() {
    for setting in EffectSetting.allCases {
      var settings = EffectSettings()
      let value = EffectSettingsTests.other(setting.row.kind)
      settings[setting] = value
      #expect(settings[setting] == value)
      #expect(EffectSetting.allCases.filter { settings[$0] != EffectSettings()[$0] } == [setting])
      var numbered = EffectSettings()
      numbered.setNumber(settings.number(setting), of: setting)
      #expect(numbered == settings, "\(setting)")
      guard case .float(let range?, _) = setting.row.kind else { continue }
      settings[setting] = .float(1e9)
      #expect(settings[setting] == .float(Float(range.upperBound)))
      settings[setting] = .float(.nan)
      #expect(settings.number(setting).isFinite)
    }
  }

  @Test("the same of the room's")
  func roomSetting() {
    for setting in RoomEffectSetting.allCases {
      var settings = RoomEffectSettings()
      let value = EffectSettingsTests.other(setting.row.kind)
      settings[setting] = value
      #expect(settings[setting] == value)
      #expect(RoomEffectSetting.allCases.filter { settings[$0] != RoomEffectSettings()[$0] } == [setting])
      var numbered = RoomEffectSettings()
      numbered.setNumber(settings.number(setting), of: setting)
      #expect(numbered == settings, "\(setting)")
    }
    var settings = RoomEffectSettings()
    settings[.delayFeedback] = .float(1)
    #expect(settings.delayFeedback == 0.95)
  }

  @Test("a value of another type, and a word that is none, change nothing")
  func others() {
    var settings = EffectSettings()
    settings[.driveAmount] = .text("much")
    settings[.duckSource] = .text("snare")
    settings[.duckSource] = .float(1)
    #expect(settings == EffectSettings())
  }
}

@Suite("Macros")
struct MacroTests {
  @Test("at rest they change nothing")
  func rest() {
    #expect(EffectSettings().withMacros == EffectSettings())
    #expect(RoomEffectSettings().withMacros == RoomEffectSettings())
  }

  static let thumb: [Float] = (0...100).map { Float($0) / 100 }

  @Test("everything stays in range, whatever lies behind them, and moves without jumping")
  func ranges() {
    for macro in [EffectSetting.filterMacro, .driveMacro, .spaceMacro] {
      for start in [false, true] {
        var base = EffectSettings()
        if start { for setting in EffectSetting.allCases { base[setting] = .float(1e9) } }
        var before: EffectSettings?
        for position in MacroTests.thumb {
          base.setNumber(position, of: macro)
          let heard = base.withMacros
          for setting in EffectSetting.allCases {
            #expect(setting.row.kind.nearest(heard[setting]) == heard[setting], "\(macro) \(position) \(setting)")
            guard let before, setting != macro, case .float(let range?, let unit) = setting.row.kind else { continue }
            let (a, b) = (before.number(setting), heard.number(setting))
            // Frequencies by ratio, the rest by share of the way.
            let step = unit == "Hz" ? max(a / b, b / a) - 1 : abs(a - b) / Float(range.upperBound - range.lowerBound)
            #expect(step < 0.16, "\(macro) \(position) \(setting)")
          }
          before = heard
        }
      }
    }
  }

  @Test("the same of the room's")
  func roomRanges() {
    for macro in [RoomEffectSetting.throwMacro, .washMacro, .cutMacro, .crushMacro] {
      for start in [false, true] {
        var base = RoomEffectSettings()
        if start { for setting in RoomEffectSetting.allCases { base[setting] = .float(1e9) } }
        for position in MacroTests.thumb {
          base.setNumber(position, of: macro)
          let heard = base.withMacros
          for setting in RoomEffectSetting.allCases {
            #expect(setting.row.kind.nearest(heard[setting]) == heard[setting], "\(macro) \(position) \(setting)")
          }
        }
      }
    }
  }

  @Test("the filter closes to the left from above and to the right from below; a further setting stays")
  func filter() {
    var settings = EffectSettings()
    settings.filterMacro = 0
    #expect(abs(settings.withMacros.lowPass - 200) < 2 && settings.withMacros.highPass == 20)
    settings.filterMacro = 1
    #expect(abs(settings.withMacros.highPass - 5_000) < 50 && settings.withMacros.lowPass == 20_000)
    settings.highPass = 8_000
    #expect(settings.withMacros.highPass == 8_000)
    settings.filterMacro = 0.51
    settings.highPass = 20
    #expect(settings.withMacros == settings)
  }

  @Test("throw feeds the delay, wash the reverb, cut takes the bass, crush the bits")
  func room() {
    var settings = RoomEffectSettings()
    settings.throwMacro = 1
    #expect(settings.withMacros.mixToDelay > 0.5 && settings.withMacros.delayFeedback > 0.8)
    settings.throwMacro = 0
    settings.washMacro = 1
    #expect(settings.withMacros.mixToReverb > 0.5 && settings.withMacros.reverbDecay > 5)
    settings.washMacro = 0
    settings.cutMacro = 1
    #expect(settings.withMacros.highPass > 2_000)
    settings.cutMacro = 0
    settings.crushMacro = 1
    #expect(settings.withMacros.crushAmount == 1)
  }
}
