import JamCore
import Testing

@testable import JamWire

/// Lights at the addresses of controls, questions about one address, and values as shares.
@Suite struct LightAddressTests {
  private let table = AddressTable.standard
  private let clock = ServerClock(origin: HostTime(nanoseconds: 0), wallNanoseconds: 0)

  private func told(_ setting: Setting, _ value: SettingValue) -> [OSCMessage] {
    table.feedback(for: .value(setting, value), clock: clock).messages
  }

  @Test("a light is told at the address of its control")
  func addresses() {
    let lights: [(Light, String)] = [
      (.loop(.record), "/loop/record"), (.loop(.stop), "/loop/stop"), (.lane(3, .loop), "/lane/3/loop"),
      (.scene(8), "/scene/8"), (.kit("starter"), "/kit/starter"), (.instrument("piano"), "/instrument/piano"),
      (.buildUp, "/buildup"), (.drop, "/buildup/drop"), (.take, "/take/start"),
      (.catchPlayed, "/loop/catch"),
    ]
    for (light, address) in lights {
      #expect(told(.light(light), .float(0.5)) == [OSCMessage(address, .float(0.5))])
    }
    #expect(told(.soundingTempo, .float(90)) == [OSCMessage("/bpm", .float(90))])
    #expect(told(.buildUpBars, .integer(3)) == [OSCMessage("/buildup/bars", .int32(3))])
  }

  @Test("an id that makes no address, or that of another control, has no light")
  func noAddress() {
    for id in ["", "next", "name", "a b", "a/b", "a*", "ä"] {
      #expect(told(.light(.kit(id)), .float(1)).isEmpty, "\(id)")
    }
    #expect(told(.light(.instrument("filter/cutoff")), .float(1)).isEmpty)
  }

  @Test("a control with a light triggers as before: by nothing or a value above 0, and never by a pattern")
  func triggers() throws {
    #expect(try request("/loop/record") == .command(.loop(.record)))
    #expect(try request("/loop/record", .float(1)) == .command(.loop(.record)))
    #expect(try request("/loop/record", .float(0.5)) == .command(.loop(.record)))
    #expect(try request("/loop/record", .float(0)) == nil)
    for pressed in [.int32(127), .true, .string("on"), .string("1")] as [OSCArgument] {
      #expect(try request("/loop/record", pressed) == .command(.loop(.record)))
    }
    for released in [.int32(0), .float(-1), .false, .string("off")] as [OSCArgument] {
      #expect(try request("/loop/record", released) == nil)
    }
    #expect(try request("/loop/record", .float(1), .string("next")) == .command(.loop(.record)))
    #expect(try request("/loop/record", .float(1), .string("now")) == .command(.recordNow))
    #expect(try request("/loop/record", .string("now")) == .command(.recordNow))
    #expect(try request("/loop/record", .float(0), .string("now")) == nil)
    #expect(throws: WireError.self) { try request("/loop/record", .float(1), .string("later")) }
    #expect(table.message(for: .recordNow) == OSCMessage("/loop/record", .float(1), .string("now")))
    #expect(table.message(for: .loop(.record)) == OSCMessage("/loop/record"))
    #expect(try request("/loop/catch") == .command(.catchPlayed))
    #expect(try request("/loop/catch", .float(0)) == nil)
    #expect(try request("/buildup", .int32(0)) == nil)
    #expect(try request("/instrument/piano", .float(1)) == .command(.set(.instrument, .text("piano"))))
    #expect(try request("/instrument/piano", .float(0)) == nil)
    for pattern in ["/loop/*", "/loop/{record,bars}", "/lane/*/play", "/lane/1/*"] {
      guard case .commands(let commands)? = try? request(pattern) else { continue }
      #expect(commands.allSatisfy { if case .read = $0 { true } else { false } }, "\(pattern)")
    }
  }

  @Test("every control with a light reads the light alone")
  func question() throws {
    #expect(try request("/sync") == .session(.sync))
    #expect(try request("/sync", .float(0.3)) == .session(.sync), "a button that feels pressure")
    #expect(try request("/sync", .int32(0)) == nil)
    func asked(_ address: String) throws -> Command? {
      guard case .session(.ask(let question))? = try request("/sync", .string(address)) else { return nil }
      #expect(question.address == address && question.room == nil && question.player == nil)
      return question.command
    }
    #expect(try asked("/loop/record") == .read(.light(.loop(.record))))
    #expect(try asked("/lane/2/play") == .read(.light(.lane(2, .play))))
    #expect(try asked("/kit/starter") == .read(.light(.kit("starter"))))
    #expect(try asked("/instrument/piano") == .read(.light(.instrument("piano"))))
    #expect(try asked("/player/ann/gain") == .read(.channelGain(PlayerName("ann")!)))
    #expect(try asked("/mute") == .read(.mute), "and does not toggle it")
    #expect(try asked("/kits/item") == .listKits)
    #expect(try asked("/buildup/state") == nil)
    // The transport's light is a switch.
    for entry in table.entries where entry.isLit && entry.template != "/play" {
      let address = entry.address(numbers: entry.numbers.map(\.range.lowerBound), texts: [])
      guard case .read(.light)? = try asked(address) else {
        Issue.record("\(address) has no light")
        continue
      }
    }
    #expect(throws: WireError.noValue(address: "/undo")) { try request("/sync", .string("/undo")) }
    #expect(throws: WireError.noValue(address: "/welcome")) { try request("/sync", .string("/welcome")) }
    #expect(throws: WireError.unknownAddress("/nothing")) { try request("/sync", .string("/nothing")) }
  }

  @Test("a question may name a room and a player")
  func questionElsewhere() throws {
    let message = OSCMessage("/sync", .string("/room/attic/player/ann/gain"))
    var reader = CommandReader()
    guard case .session(.ask(let question))? = try reader.read(message)?.request else {
      Issue.record("no question")
      return
    }
    #expect(question.room == PlayerName("attic") && question.command == .read(.channelGain(PlayerName("ann")!)))
  }

  // MARK: Shares

  @Test("a share is linear over the range, the index of a choice, and half of a switch")
  func shares() throws {
    #expect(try request("/n/loop/bars", .float(0)) == .command(.set(.loopBars, .integer(1))))
    #expect(try request("/n/loop/bars", .float(1)) == .command(.set(.loopBars, .integer(64))))
    #expect(try request("/n/mute", .float(0.6)) == .command(.set(.mute, .bool(true))))
    #expect(try request("/n/mute", .int32(0)) == .command(.set(.mute, .bool(false))))
    #expect(try request("/n/mute") == .command(.read(.mute)), "a fader's address asks, and toggles nothing")
    #expect(try request("/n/modulation", .double(0.25)) == .command(.set(.modulation, .float(0.25))))
    #expect(try request("/n/pad/3/gain", .float(1)) == .command(.set(.pad(.gain, Pad(3)!), .float(12))))
    guard case .command(.set(.quantize, .text(let word)))? = try request("/n/quantize", .float(1)) else {
      Issue.record("no grid")
      return
    }
    #expect(word == Grid.allCases.last?.word)
  }

  @Test("a control with a light triggers by its share as by its own number, and is asked without one")
  func triggersByShare() throws {
    let named = ["/kit/<id>", "/instrument/<id>"]
    for entry in table.entries where entry.isLit || named.contains(entry.template) {
      let texts = entry.template.contains("<id>") ? ["piano"] : []
      let address = entry.address(numbers: entry.numbers.map(\.range.lowerBound), texts: texts)
      let pressed = try #require(try request(address, .float(1)), "\(address)")
      for share in [0.01, 0.5, 1] as [Float] {
        #expect(try request("/n" + address, .float(share)) == pressed, "\(address)")
      }
      #expect(try request("/n" + address, .float(0)) == nil, "\(address)")
      guard case .command(.read(let light))? = try request("/n" + address) else {
        Issue.record("\(address) is not asked")
        continue
      }
      #expect(table.light(atShare: "/n" + address) == light)
      #expect(table.share(light, .float(0.5)) == OSCMessage("/n" + address, .float(0.5)) || entry.template == "/play")
    }
    #expect(try request("/n/player/ann/admit", .float(1)) == .command(.admit(PlayerName("ann")!)))
    #expect(table.light(atShare: "/n/loop/bars") == nil && table.light(atShare: "/n/pad/1") == nil)
    #expect(table.light(atShare: "/loop/record") == nil && table.light(atShare: "/n/nothing") == nil)
  }

  @Test("pads and keys take a share as their velocity, on every scale of velocities")
  func struckByShare() throws {
    #expect(try request("/n/pad/3", .float(0.25)) == .command(.hit(Pad(3)!, Velocity(0.25)!)))
    #expect(try request("/n/pad/3", .int32(1)) == .command(.hit(Pad(3)!, .full)))
    #expect(try request("/n/pad/3", .true) == .command(.hit(Pad(3)!, .full)))
    #expect(try request("/n/pad/3", .float(0)) == .command(.release(Pad(3)!)))
    #expect(try request("/n/key/60", .float(0.5)) == .command(.hit(Pad(key: 60)!, Velocity(0.5)!)))
    #expect(try request("/n/key/60", .int32(0)) == .command(.release(Pad(key: 60)!)))
    // Hits are never left out for a later value, as a fader's are.
    var reader = CommandReader()
    for address in ["/n/pad/3", "/n/loop/record"] {
      let isValue = reader.isContinuousValue(OSCMessage(address, .float(0.5)))
      #expect(!isValue, "\(address)")
    }
  }

  @Test("what is no share is refused and names the range, and so is an address without one")
  func refused() throws {
    for share in [-0.1, 1.5] as [Float] {
      #expect(
        throws: WireError.outOfRange(
          argument: "bpm", value: Double(share), range: 0...1, unit: "", address: "/n/tempo")
      ) { try request("/n/tempo", .float(share)) }
    }
    #expect(throws: WireError.notFinite(argument: "bpm", address: "/n/tempo")) {
      try request("/n/tempo", .float(.nan))
    }
    #expect(throws: WireError.self) { try request("/n/tempo", .string("fast")) }
    #expect(throws: WireError.tooManyArguments(got: 2, most: 1, address: "/n/tempo")) {
      try request("/n/tempo", .float(0), .float(1))
    }
    #expect(throws: WireError.readOnly(address: "/n/bpm")) { try request("/n/bpm", .float(0.5)) }
    for address in ["/n/kit", "/n/signature", "/n/undo", "/n/kit/next", "/n/hit", "/n/pad", "/n/pad/1/cancel"] {
      #expect(throws: WireError.noRange(address: address)) { try request(address, .float(0.5)) }
    }
    #expect(throws: WireError.unknownAddress("/n/n/tempo")) { try request("/n/n/tempo", .float(0.5)) }
    for address in ["/n/nope", "/n/player/ann/nope"] {
      #expect(throws: WireError.unknownAddress(address)) { try request(address, .float(0.5)) }
    }
    #expect(throws: WireError.padOutOfRange("99", address: "/n/pad/99/gain")) {
      try request("/n/pad/99/gain", .float(0.5))
    }
    for address in ["/n/loop/record", "/n/pad/3", "/n/buildup"] {
      #expect(throws: WireError.self) { try request(address, .float(1.5)) }
      #expect(throws: WireError.self) { try request(address, .string("on")) }
      #expect(throws: WireError.self) { try request(address, .float(.nan)) }
      #expect(throws: WireError.self) { try request(address, .float(0), .float(1)) }
    }
    #expect(throws: WireError.missing(argument: "velocity", address: "/n/pad/3")) {
      try request("/n/pad/3")
    }
    #expect(table.nearest(to: "/n/tempoo") == "/n/tempo" && table.nearest(to: "/n/n/tempo") == nil)
  }

  @Test("each setting with a range comes back as its own share", arguments: [0, 0.25, 0.5, 0.75, 1] as [Double])
  func roundTrip(share: Double) throws {
    var count = 0
    for (setting, place) in table.settings {
      let kind = setting.row.kind
      guard kind.hasShares else {
        #expect(kind.value(atShare: share) == nil && table.share(setting, .text("x")) == nil)
        continue
      }
      count += 1
      let value = try #require(kind.value(atShare: share))
      #expect(kind.nearest(value) == value, "\(place.address) \(value)")
      let message = try #require(table.share(setting, value))
      #expect(message.address == "/n" + place.address)
      guard case .float(let number)? = message.arguments.first else { continue }
      #expect((0...1).contains(number))
      if case .float = kind { #expect(abs(Double(number) - share) < 0.001, "\(place.address) \(number)") }
      // The value of the share is the same value again, so a fader that follows its feedback rests.
      guard let again = kind.value(atShare: Double(number)) else { continue }
      guard case .float(let first) = value, case .float(let second) = again else {
        #expect(again == value, "\(place.address)")
        continue
      }
      #expect(abs(first - second) <= max(abs(first), 1) * 0.001, "\(place.address)")
    }
    #expect(count > 300)
  }

  @Test("frequencies and times are by ear, as on the page's faders")
  func byEar() {
    let hertz = SettingKind.float(20...20_000, unit: "Hz")
    guard case .float(let middle)? = hertz.value(atShare: 0.5) else { return }
    #expect(abs(middle - 632.5) < 1)
    let milliseconds = SettingKind.float(0...1_000, unit: "ms")
    #expect(milliseconds.value(atShare: 0) == .float(0))
    #expect(milliseconds.value(atShare: 1) == .float(1_000))
    guard case .float(let third)? = milliseconds.value(atShare: 1 / 3.0) else { return }
    #expect(abs(third - 10) < 0.1)
  }
}
