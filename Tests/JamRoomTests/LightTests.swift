import JamCore
import Testing

@testable import JamRoom

/// Lights of controllers. At 120 bpm a bar has 96,000 frames.
@Suite struct LightTests {
  private static let bar: Int64 = 96_000

  /// A room with a player who looks at nothing but lights.
  private struct Panel {
    var stage = Stage()
    let ann: PlayerID
    /// The last number told of each light, and every number in order.
    var shown: [Setting: SettingValue] = [:]
    var told: [(setting: Setting, value: SettingValue)] = []

    init(kits: [PlayableKit] = [Fixture.kit("one")]) throws {
      stage = Stage(Fixture.state(kits: kits))
      ann = try stage.join("ann")
    }

    mutating func go(to frame: Int64) {
      while stage.state.nextDeadline.count < frame {
        note(stage.tick(stage.state.nextDeadline.count), of: ann)
      }
    }

    mutating func step(_ command: Command, at frame: Int64) {
      go(to: frame)
      note(stage.step(command, by: ann, at: frame), of: ann)
      // The next look.
      go(to: frame + 2_000)
    }

    private mutating func note(_ outcome: Outcome, of id: PlayerID) {
      for (event, audience) in outcome.told {
        guard case .value(let setting, let value) = event else { continue }
        switch setting {
        case .light, .soundingTempo, .buildUpBars: break
        default: continue
        }
        #expect(audience == .everybody || audience == .player(id))
        shown[setting] = value
        told.append((setting, value))
      }
    }

    subscript(light: Light) -> Float? {
      if case .float(let number)? = shown[.light(light)] { number } else { nil }
    }

    /// Whether everything that was told is what is read now.
    func isTrue() -> Bool {
      shown.allSatisfy { (try? stage.state.value(of: $0.key, for: ann)) == $0.value }
    }
  }

  @Test("a loop's lights wait for the bar line, and are told once for each change")
  func loop() throws {
    var panel = try Panel()
    panel.step(.set(.loopBars, .integer(1)), at: 100)
    panel.step(.play, at: 200)
    panel.step(.loop(.record), at: 10_000)
    #expect(panel[.loop(.record)] == 0.5)
    panel.go(to: Self.bar + 5_000)
    #expect(panel[.loop(.record)] == 1)
    panel.step(.hit(Pad(1)!, .full), at: Self.bar + 10_000)
    panel.go(to: 3 * Self.bar)
    #expect(panel[.loop(.record)] == 0 && panel[.loop(.play)] == 1)
    panel.step(.loop(.overdub), at: 3 * Self.bar + 1_000)
    #expect(panel[.loop(.overdub)] == 0.5 && panel[.loop(.play)] == 1)
    panel.go(to: 4 * Self.bar + 10_000)
    #expect(panel[.loop(.overdub)] == 1)
    panel.step(.loop(.stop), at: 4 * Self.bar + 20_000)
    #expect(panel[.loop(.stop)] == 0.5)
    panel.go(to: 5 * Self.bar + 10_000)
    #expect(panel[.loop(.stop)] == 0 && panel[.loop(.overdub)] == 0 && panel[.loop(.play)] == 0)
    #expect(panel.isTrue())
    // Each change came once.
    let records = panel.told.filter { $0.setting == .light(.loop(.record)) }.map(\.value)
    #expect(records == [.float(0.5), .float(1), .float(0)])
  }

  @Test("a pass or a loop that goes on stays lit while it is pressed again")
  func pressedAgain() throws {
    var panel = try Panel()
    panel.step(.set(.loopBars, .integer(2)), at: 100)
    panel.step(.play, at: 200)
    panel.step(.loop(.record), at: 10_000)
    panel.go(to: Self.bar + 5_000)
    panel.step(.loop(.record), at: Self.bar + 10_000)
    #expect(panel[.loop(.record)] == 1)
    panel.step(.hit(Pad(1)!, .full), at: Self.bar + 20_000)
    panel.step(.loop(.overdub), at: 2 * Self.bar + 10_000)
    #expect(panel[.loop(.record)] == 1 && panel[.loop(.overdub)] == 0.5)
    panel.go(to: 3 * Self.bar + 5_000)
    #expect(panel[.loop(.record)] == 0 && panel[.loop(.overdub)] == 1)
    panel.step(.loop(.overdub), at: 3 * Self.bar + 10_000)
    #expect(panel[.loop(.overdub)] == 1)
    panel.step(.loop(.play), at: 3 * Self.bar + 20_000)
    #expect(panel[.loop(.overdub)] == 1 && panel[.loop(.play)] == 1)
    panel.go(to: 4 * Self.bar + 10_000)
    #expect(panel[.loop(.overdub)] == 0 && panel[.loop(.play)] == 1)
    #expect(panel.isTrue())
    for action in [LoopAction.record, .overdub] {
      let told = panel.told.filter { $0.setting == .light(.loop(action)) }.map(\.value)
      #expect(told == [.float(0.5), .float(1), .float(0)], "\(action)")
    }
  }

  @Test("a lane that plays and a scene that was launched stay lit while they are pressed again")
  func pressedAgainByNumber() throws {
    var panel = try Panel()
    panel.step(.set(.laneSlot(2, 1), .text("rock straight")), at: 100)
    panel.step(.play, at: 200)
    panel.step(.lane(2, .loop), at: 10_000)
    panel.go(to: Self.bar + 5_000)
    panel.step(.lane(2, .loop), at: Self.bar + 6_000)
    #expect(panel[.lane(2, .loop)] == 1)
    panel.step(.keepScene(3), at: Self.bar + 10_000)
    panel.step(.launchScene(3), at: Self.bar + 20_000)
    #expect(panel[.scene(3)] == 0.5, "it waits to begin")
    panel.go(to: 2 * Self.bar + 5_000)
    panel.step(.launchScene(3), at: 2 * Self.bar + 10_000)
    #expect(panel[.scene(3)] == 1 && panel[.lane(2, .loop)] == 1)
    panel.go(to: 3 * Self.bar + 5_000)
    #expect(panel[.scene(3)] == 1 && panel[.lane(2, .loop)] == 1 && panel.isTrue())
    let told = panel.told.filter { $0.setting == .light(.scene(3)) }.map(\.value)
    #expect(told == [.float(0.5), .float(1)])
    let lane = panel.told.filter { $0.setting == .light(.lane(2, .loop)) }.map(\.value)
    #expect(lane == [.float(0.5), .float(1)])
  }

  @Test("lanes and scenes light by their numbers")
  func lanesAndScenes() throws {
    var panel = try Panel()
    panel.step(.set(.laneSlot(2, 1), .text("rock straight")), at: 100)
    panel.step(.play, at: 200)
    panel.step(.lane(2, .loop), at: 10_000)
    #expect(panel[.lane(2, .loop)] == 0.5 && panel[.lane(2, .play)] == nil && panel[.lane(1, .loop)] == nil)
    panel.go(to: Self.bar + 5_000)
    #expect(panel[.lane(2, .loop)] == 1)
    panel.step(.keepScene(3), at: Self.bar + 10_000)
    panel.step(.lane(2, .stop), at: Self.bar + 20_000)
    #expect(panel[.lane(2, .stop)] == 0.5)
    panel.go(to: 2 * Self.bar + 5_000)
    #expect(panel[.lane(2, .loop)] == 0 && panel[.lane(2, .stop)] == 0)
    panel.step(.launchScene(3), at: 2 * Self.bar + 10_000)
    #expect(panel[.scene(3)] == 0.5)
    panel.go(to: 3 * Self.bar + 5_000)
    #expect(panel[.scene(3)] == 1 && panel[.lane(2, .loop)] == 1 && panel[.scene(1)] == nil)
    #expect(panel.isTrue())
  }

  @Test("a kit's light waits while the kit is being read, and goes from the old one to the new one")
  func kits() throws {
    let (one, two) = (Fixture.kit("one"), Fixture.kit("two"))
    var panel = try Panel(kits: [one, two])
    #expect(try panel.stage.state.value(of: .light(.kit("one")), for: panel.ann) == .float(1))
    #expect(try panel.stage.state.value(of: .light(.kit("two")), for: panel.ann) == .float(0))
    panel.step(.chooseKit(.id("two")), at: 1_000)
    #expect(panel[.kit("two")] == 0.5 && panel[.kit("one")] == nil)
    panel.stage.state.kitArrived(two, at: Frames(5_000))
    panel.go(to: 10_000)
    #expect(panel[.kit("two")] == 1 && panel[.kit("one")] == 0)
    #expect(panel.isTrue())
  }

  @Test("a build-up's light, its bars and the tempo that sounds")
  func buildUp() throws {
    var panel = try Panel()
    panel.step(.play, at: 200)
    panel.step(.buildUp(bpm: 160, bars: 2, .linear), at: 10_000)
    #expect(panel[.buildUp] == 0.5 && panel.shown[.buildUpBars] == .integer(2))
    panel.go(to: Self.bar + 50_000)
    #expect(panel[.buildUp] == 1)
    guard case .float(let rising)? = panel.shown[.soundingTempo] else {
      Issue.record("no tempo was told")
      return
    }
    #expect(rising > 120 && rising < 160)
    #expect(try panel.stage.state.value(of: .tempo, for: panel.ann) == .float(120), "what it returns to")
    panel.step(.drop, at: Self.bar + 60_000)
    #expect(panel[.drop] == 0.5)
    panel.go(to: 4 * Self.bar)
    #expect(panel[.buildUp] == 0 && panel[.drop] == 0 && panel.shown[.buildUpBars] == .integer(0))
    #expect(panel.shown[.soundingTempo] == .float(120))
    #expect(panel.isTrue())
  }

  @Test("the light of a take is lit while somebody's take is recorded")
  func take() throws {
    var panel = try Panel()
    panel.stage.state.takes("a", isStarted: false)
    panel.go(to: 4_000)
    #expect(panel[.take] == nil)
    panel.stage.state.takes("a", isStarted: true)
    panel.go(to: 8_000)
    #expect(panel[.take] == 1)
    panel.stage.state.takes("", isStarted: false)
    panel.go(to: 12_000)
    #expect(panel[.take] == 0)
  }

  @Test("every light is in the full state once, also for those who have no player")
  func fullState() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let settings = stage.state.readable(by: ann)
    #expect(Set(settings).count == settings.count)
    let lights = stage.state.lightSettings()
    // Behind the lights there is her mix of her own alone: her gain and mute.
    #expect(settings.dropLast(2).suffix(lights.count) == lights[...])
    for setting in lights { #expect(stage.state.readValue(of: setting, for: ann) != nil, "\(setting)") }
    for setting in stage.state.readableByAnybody {
      let value = stage.state.roomValue(of: setting) ?? stage.state.roomLight(setting)
      #expect(value != nil && value == stage.state.readValue(of: setting, for: ann), "\(setting)")
    }
    #expect(stage.state.readableByAnybody.contains(.light(.scene(1))))
    #expect(!stage.state.readableByAnybody.contains(.light(.loop(.record))))
  }

  @Test("a row of lights holds each of its places")
  func row() {
    var row = GlowRow()
    for place in 0..<GlowRow.most { row[place] = Glow(rawValue: UInt8(place % 3)) ?? .off }
    for place in 0..<GlowRow.most { #expect(row[place].rawValue == UInt8(place % 3)) }
    row[GlowRow.most] = .on
    row[-1] = .on
    #expect(row[GlowRow.most] == .off && row[-1] == .off)
  }
}
