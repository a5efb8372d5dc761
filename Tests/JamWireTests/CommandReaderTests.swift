import JamCore
import JamWire
import Testing

@Suite struct CommandReaderTests {
  let pad3 = Pad(3)!

  func hit(_ number: Int, _ velocity: Float, isInteger: Bool = false) -> Request {
    .command(.strike(Pad(number)!, Strike(velocity, isInteger: isInteger)!))
  }

  @Test(
    "a hit takes its velocity from any number, and from none",
    arguments: [.float(0.5), .double(0.5)] as [OSCArgument])
  func velocities(argument: OSCArgument) throws {
    #expect(try request("/pad/3", argument) == hit(3, 0.5))
  }

  @Test(
    "T, nothing, nil and an impulse are a full hit",
    arguments: [.true, .nil, .infinitum] as [OSCArgument])
  func fullHits(argument: OSCArgument) throws {
    #expect(try request("/pad/3", argument) == .command(.hit(pad3, .full)))
    #expect(try request("/pad/3") == .command(.hit(pad3, .full)))
  }

  @Test("an integer is told from a float: it may be one of MIDI's") func integers() throws {
    #expect(try request("/pad/3", .int32(1)) == hit(3, 1, isInteger: true))
    #expect(try request("/pad/3", .int64(127)) == hit(3, 127, isInteger: true))
    #expect(try request("/pad", .int32(3), .int32(64)) == hit(3, 64, isInteger: true))
    #expect(try request("/pad/3", .double(127)) == hit(3, 127))
    var score = CommandReader(isScore: true)
    #expect(
      try score.read(OSCMessage("/player/ann/pad/3", .int32(64)))?.request == .command(.hit(pad3, .full)))
    #expect(
      try score.read(OSCMessage("/player/ann/pad/3", .float(0.5)))?.request == .command(.hit(pad3, Velocity(0.5)!)))
  }

  @Test("what is set with a velocity takes a share of 1, or a number on its player's scale") func struck() throws {
    func struck(_ edit: StruckEdit, _ number: Float, isInteger: Bool = false) -> Request {
      .command(.struck(edit, Strike(number, isInteger: isInteger)!))
    }
    #expect(try request("/step/3/5", .int32(127)) == struck(.step(pad3, 5), 127, isInteger: true))
    #expect(try request("/step/3/5", .float(64)) == struck(.step(pad3, 5), 64))
    #expect(try request("/step/3/5", .float(0.5)) == .command(.set(.step(pad3, 5), .float(0.5))))
    // A button that is on.
    #expect(try request("/step/3/5", .int32(1)) == .command(.set(.step(pad3, 5), .float(1))))
    #expect(try request("/step/3/5", .int32(0)) == .command(.set(.step(pad3, 5), .float(0))))
    #expect(try request("/step/3/5") == .command(.read(.step(pad3, 5))))
    #expect(try request("/key/60/step/2", .int32(90)) == struck(.step(Pad(key: 60)!, 2), 90, isInteger: true))
    #expect(
      try request("/block/step", .string("b"), .int32(3), .int32(2), .int32(100))
        == struck(.blockStep("b", pad3, 2), 100, isInteger: true))
    #expect(
      try request("/layer/1/add", .int32(3), .float(1.5), .float(100))
        == struck(.addition(layer: 1, pad3, beat: 1.5), 100))
    #expect(
      try request("/layer/1/note", .int32(7), .float(1.5), .int32(100), .int32(3))
        == struck(.note(layer: 1, number: 7, beat: 1.5, pad: pad3), 100, isInteger: true))
    var score = CommandReader(isScore: true)
    #expect(
      try score.read(OSCMessage("/player/ann/step/3/5", .int32(127)))?.request
        == .command(.set(.step(pad3, 5), .float(127))))
    for edit in [
      StruckEdit.step(pad3, 5), .step(Pad(key: 60)!, 2), .blockStep("b", pad3, 2), .addition(layer: 1, pad3, beat: 2),
      .note(layer: 1, number: 7, beat: 1.5, pad: nil), .note(layer: 1, number: 7, beat: 1.5, pad: pad3),
    ] {
      let command = Command.struck(edit, Strike(100, isInteger: true)!)
      let message = try #require(AddressTable.standard.message(for: command))
      var reader = CommandReader()
      #expect(try reader.read(message)?.request == .command(command))
    }
  }

  @Test("0 and F are the release", arguments: [.float(0), .int32(0), .false, .int64(0), .double(0)] as [OSCArgument])
  func releases(argument: OSCArgument) throws {
    #expect(try request("/pad/3", argument) == .command(.release(pad3)))
    #expect(try request("/pad", .int32(3), argument) == .command(.release(pad3)))
  }

  @Test("the pad's number may be an argument") func padArgument() throws {
    #expect(try request("/pad", .int32(16), .float(0.25)) == hit(16, 0.25))
    #expect(try request("/pad", .float(16)) == .command(.hit(Pad(16)!, .full)))
  }

  @Test("every other trigger acts on no argument or above 0 and ignores the button coming up") func triggers() throws {
    #expect(try request("/play") == .command(.play))
    #expect(try request("/play", .float(1)) == .command(.play))
    #expect(try request("/play", .true) == .command(.play))
    #expect(try request("/play", .float(0)) == nil)
    #expect(try request("/play", .false) == nil)
    #expect(try request("/kit/next", .float(0)) == nil)
    #expect(try request("/kit/studio", .float(0)) == nil)
    #expect(try request("/pad/3/cancel", .int32(1)) == .command(.cancel(pad3)))
    #expect(try request("/bye", .int32(0)) == nil)
    #expect(try request("/kits", .int32(0)) == nil)
    // Its arguments may all be left out: a button sends but its press.
    let buildUp = Request.command(.buildUp(bpm: nil, bars: 8, .ease))
    for press in [.float(1), .int32(1), .true] as [OSCArgument] { #expect(try request("/buildup", press) == buildUp) }
    for release in [.float(0), .int32(0), .false] as [OSCArgument] { #expect(try request("/buildup", release) == nil) }
  }

  @Test("a switch takes T, F or a number, and toggles without a value") func switches() throws {
    #expect(try request("/pad/3/mute") == .command(.toggle(.pad(.mute, pad3))))
    #expect(try request("/pad/3/mute", .nil) == .command(.toggle(.pad(.mute, pad3))))
    #expect(try request("/pad/3/mute", .true) == .command(.set(.pad(.mute, pad3), .bool(true))))
    #expect(try request("/pad/3/mute", .float(0)) == .command(.set(.pad(.mute, pad3), .bool(false))))
    #expect(try request("/metronome", .int32(1)) == .command(.set(.metronome, .bool(true))))
  }

  @Test("a setter takes any number, and without a value it answers") func setters() throws {
    #expect(try request("/pad/3/gain", .int32(-6)) == .command(.set(.pad(.gain, pad3), .float(-6))))
    #expect(try request("/pad/3/gain", .double(-6)) == .command(.set(.pad(.gain, pad3), .float(-6))))
    #expect(try request("/pad/3/gain") == .command(.read(.pad(.gain, pad3))))
    #expect(try request("/tempo", .int64(128)) == .command(.set(.tempo, .float(128))))
    #expect(
      try request("/signature", .float(7), .int32(8))
        == .command(.set(.signature, .signature(TimeSignature(beatsPerBar: 7, beatUnit: 8)!))))
    #expect(try request("/signature") == .command(.read(.signature)))
    // Of the present unit.
    #expect(try request("/signature", .int32(3)) == .command(.set(.signature, .integer(3))))
  }

  @Test("a kit is chosen by id or by index, whatever number carries it") func kits() throws {
    #expect(try request("/kit", .string("studio")) == .command(.chooseKit(.id("studio"))))
    #expect(try request("/kit", .float(2)) == .command(.chooseKit(.index(2))))
    #expect(try request("/kit/studio") == .command(.chooseKit(.id("studio"))))
    #expect(try request("/kit/prev") == .command(.chooseKit(.previous)))
    #expect(try request("/kit/name") == .command(.read(.kitName)))
    #expect(try request("/kit") == .command(.read(.kit)))
  }

  @Test("who is there") func sessions() throws {
    let anna = PlayerName("anna")!
    #expect(
      try request("/hello", .string("anna")) == .session(.hello(name: anna, room: nil, password: nil, token: nil)))
    #expect(
      try request("/hello", .string("anna"), .string("attic"), .string(""), .string("t"))
        == .session(.hello(name: anna, room: PlayerName("attic"), password: nil, token: "t")))
    #expect(try request("/subscribe") == .session(.subscribe(port: nil, topics: nil)))
    #expect(try request("/subscribe", .float(9000)) == .session(.subscribe(port: 9000, andOwn: true, topics: nil)))
    for button in [.float(1), .float(0), .int32(1), .int32(1_023), .true, .false, .double(80)] as [OSCArgument] {
      #expect(try request("/subscribe", button) == .session(.subscribe(port: nil, topics: nil)))
    }
    #expect(try request("/subscribe", .string("9000")) == .session(.subscribe(port: 9000, topics: nil)))
    #expect(try request("/subscribe/9000") == .session(.subscribe(port: 9000, topics: nil)))
    #expect(try request("/subscribe/9000", .float(1)) == .session(.subscribe(port: 9000, topics: nil)))
    #expect(try request("/subscribe/9000", .float(0)) == nil)
    #expect(try request("/subscribe/80") == .session(.subscribe(port: nil, topics: nil)))
    #expect(try request("/subscribe/9000", .string("beat")) == .session(.subscribe(port: 9000, topics: .beat)))
    #expect(try request("/subscribe/beat", .string("hits")) == .session(.subscribe(port: nil, topics: [.beat, .hits])))
    #expect(complaint("/subscribe/0x50").hasPrefix("port '0x50' is unknown: 1024…65535, state, beat"))
    #expect(
      try request("/subscribe", .string("beat"), .string("meters"))
        == .session(.subscribe(port: nil, topics: [.beat, .meters])))
    #expect(
      try request("/subscribe", .int32(9001), .string("state")) == .session(.subscribe(port: 9001, topics: .state)))
    #expect(try request("/ping", .int32(1), .nil, .string("x")) == .session(.ping([.int32(1), .nil, .string("x")])))
    #expect(try request("/cookie", .string("c")) == .session(.cookie("c")))
    #expect(try request("/host", .string("w")) == .session(.host("w")))
    #expect(try request("/bye") == .session(.bye))
    #expect(try request("/sync", .float(1)) == .session(.sync))
  }

  @Test("rooms and players stand in front") func prefixes() throws {
    let attic = PlayerName("attic")
    let anna = PlayerName("anna")!
    #expect(try addressed("/room/attic/pad/3", .float(1)) == AddressedRequest(room: attic, request: hit(3, 1)))
    #expect(try addressed("/player/anna/pad/3", .float(1)) == AddressedRequest(player: anna, request: hit(3, 1)))
    #expect(
      try addressed("/room/attic/player/anna/pad/3/gain", .float(1))
        == AddressedRequest(room: attic, player: anna, request: .command(.set(.pad(.gain, pad3), .float(1)))))
    #expect(
      try addressed("/player/anna/gain", .float(-3))
        == AddressedRequest(request: .command(.set(.channelGain(anna), .float(-3))))
    )
    #expect(try addressed("/player/anna/gain") == AddressedRequest(request: .command(.read(.channelGain(anna)))))
    #expect(try addressed("/player/anna/mute") == AddressedRequest(request: .command(.toggle(.channelMute(anna)))))
    #expect(
      try addressed("/room/attic/player/anna/kick") == AddressedRequest(room: attic, request: .command(.kick(anna))))
    #expect(try addressed("/room/panic") == AddressedRequest(request: .command(.panicEverybody)))
    #expect(complaint("/player/anna/hello", .string("x")).hasPrefix("it concerns the sender alone"))
  }

  @Test("patterns expand over the sender's own pads and settings alone") func patterns() throws {
    guard case .commands(let gains)? = try request("/pad/*/gain", .float(-6)) else {
      Issue.record("no commands")
      return
    }
    #expect(gains == Pad.all.map { .set(.pad(.gain, $0), .float(-6)) })
    #expect(
      try request("/pad/{1,12}/pan", .float(0)) == .commands([1, 12].map { .set(.pad(.pan, Pad($0)!), .float(0)) }))
    #expect(try request("/pad/[2-4]/mute") == .commands((2...4).map { .toggle(.pad(.mute, Pad($0)!)) }))
    #expect(try request("/pad/1?/pan") == .commands((10...16).map { .read(.pad(.pan, Pad($0)!)) }))
    #expect(
      try addressed("/room/attic/pad/1*/pan")
        == AddressedRequest(
          room: PlayerName("attic"), request: .commands(([1] + (10...16)).map { .read(.pad(.pan, Pad($0)!)) })))
    #expect(
      try request("/pad/{1,3}", .float(0.5)) == .commands([1, 3].map { .strike(Pad($0)!, Strike(0.5)!) }))
    #expect(
      try request("/key/{60,64,67}", .float(0.5))
        == .commands([60, 64, 67].map { .strike(Pad(key: $0)!, Strike(0.5)!) }))
    #expect(try request("/key/*", .float(0)) == .commands((0...127).map { .release(Pad(key: $0)!) }))
    #expect(
      try request("/key/6?/y", .float(1)) == .commands((60...69).map { .keyHeight(Pad(key: $0)!, 1) }))
    #expect(try request("/pad/*", .float(0)) == .commands(Pad.all.map { .release($0) }))
    #expect(try request("/pad/[2-3]/reset") == .commands([2, 3].map { .resetPad(Pad($0)!) }))
    // What is pressed stands in the pattern as it is: a look at all presses nothing.
    guard case .commands(let looks)? = try request("/pad/3/*") else {
      Issue.record("no commands")
      return
    }
    #expect(!looks.isEmpty)
    for case let command in looks {
      switch command {
      case .read, .toggle: break
      default: Issue.record("\(command)")
      }
    }
    #expect(complaint("/*/3/reset").hasPrefix("the pattern matches none"))
    #expect(complaint("/pl*y").hasPrefix("the pattern matches none"))
    #expect(complaint("/temp?").hasPrefix("the pattern matches none"))
    #expect(complaint("/player/*/gain").hasPrefix("patterns work on one's own pads and settings only"))
    #expect(complaint("/room/*/pad/1/gain").hasPrefix("patterns work on one's own pads and settings only"))
    #expect(complaint("/pad/[1/gain").hasPrefix("the pattern is broken"))
    #expect(complaint("/pad/{1,2/gain").hasPrefix("the pattern is broken"))
    let stars = "/" + String(repeating: "*a", count: 40)
    #expect(complaint(stars).hasPrefix("the pattern is too long: 128 bytes and 4 stars"))
    let many = (20..<70).map(String.init).joined(separator: ",")
    #expect(complaint("/key/{\(many)}").hasPrefix("the pattern is too long"))
    var reader = CommandReader()
    let keys = (20..<60).map(String.init).joined(separator: ",")
    #expect((try? reader.read(OSCMessage("/key/{\(keys)}", .float(1)))) != nil)
  }

  @Test("errors say what was wrong, where, and what would be right")
  func complaints() {
    #expect(complaint("/pad/17") == "pad 17 is out of range: this kit has pads 1–16 (/pad/17)")
    #expect(complaint("/pad/0") == "pad 0 is out of range: this kit has pads 1–16 (/pad/0)")
    #expect(complaint("/pad", .int32(0)) == "pad 0 is out of range: this kit has pads 1–16 (/pad)")
    #expect(complaint("/pad/99/gain", .int32(0)).hasPrefix("pad 99 is out of range"))
    #expect(complaint("/pad/3/gain", .float(20)) == "gain 20 is out of range: −60…12 dB (/pad/3/gain)")
    #expect(complaint("/tempo", .float(19.5)) == "bpm 19.5 is out of range: 20…300 bpm (/tempo)")
    #expect(complaint("/buildup", .float(10)) == "bpm 10 is out of range: 20…300 bpm (/buildup)")
    #expect(complaint("/buildup", .float(0), .int32(4)) == "bpm 0 is out of range: 20…300 bpm (/buildup)")
    #expect(complaint("/buildup", .float(1e9)).hasPrefix("bpm 1000000000 is out of range: 20…300 bpm"))
    #expect(complaint("/buildup", .float(150), .int32(0)) == "bars 0 is out of range: 1…64 (/buildup)")
    #expect(complaint("/buildup", .float(150), .int32(65)) == "bars 65 is out of range: 1…64 (/buildup)")
    #expect(complaint("/buildup", .float(150), .int32(8), .string("steep")).contains("linear, ease or late"))
    #expect(complaint("/tempo", .float(.nan)) == "bpm is not a finite number (/tempo)")
    #expect(complaint("/pad/3", .float(.infinity)) == "velocity is not a finite number (/pad/3)")
    #expect(complaint("/pad/3", .float(-1)) == "velocity −1 is out of range: 0…1 (/pad/3)")
    #expect(complaint("/pad/3", .string("x")) == "velocity must be a number, not the text 'x' (/pad/3)")
    #expect(
      complaint("/pad/3", .float(1), .int32(1), .float(1)) == "3 arguments are too many: it takes 2 (/pad/3)")
    #expect(complaint("/hello") == "name is missing (/hello)")
    #expect(complaint("/hello", .string("///")).hasPrefix("name '///' is no name"))
    #expect(complaint("/signature", .int32(4), .int32(3)).hasPrefix("4/3 is no time signature"))
    #expect(complaint("/kit/name", .string("x")) == "it can only be read: send it without a value (/kit/name)")
    #expect(complaint("/beat", .int32(1)) == "it is only ever sent out by the server (/beat)")
    #expect(complaint("/lock", .string("doors")) == "lock 'doors' is unknown: none, tempo, loops, kits or key (/lock)")
    #expect(
      complaint("/subscribe", .string("hit"))
        == "topic 'hit' is unknown: state, beat, position, hits, meters, history, seats or monitor (/subscribe)")
    let guess = "scale 'dorien' is unknown: did you mean dorian? There are major"
    #expect(complaint("/scale", .string("dorien")).hasPrefix(guess))
    #expect(complaint("/subscribe", .int32(70_000)) == "port 70000 is out of range: 1…65535 (/subscribe)")
    #expect(
      complaint("/loop/bars", .string("x")) == "bars must be a whole number, not the text 'x' (/loop/bars)")
    #expect(
      complaint("/player/bob/kick", .string("x")).hasPrefix("seconds must be a whole number, not the text 'x'"))
    #expect(complaint("/kit", .float(1e30)).hasPrefix("kit 1"))
  }

  @Test("a word is taken by its index too, by whatever number, and refused beyond the list") func indices() throws {
    #expect(try request("/lock", .int32(1)) == .command(.set(.lock, .text("tempo"))))
    #expect(try request("/pad/3/mode", .float(3)) == .command(.set(.pad(.mode, pad3), .text("repeat"))))
    #expect(try request("/role", .int64(2)) == .command(.set(.role, .text("listener"))))
    #expect(try request("/buildup", .float(150), .int32(4), .int32(2)) == .command(.buildUp(bpm: 150, bars: 4, .late)))
    #expect(try request("/buildup", .string("late")) == .command(.buildUp(bpm: nil, bars: 8, .late)))
    #expect(complaint("/lock", .int32(5)) == "lock 5 is out of range: 0…4 (/lock)")
    #expect(complaint("/pad/3/sample", .int32(1)) == "id must be a text, not 1 (/pad/3/sample)")
    #expect(complaint("/play", .string("now")) == "the button must be a number or nothing, not the text 'now' (/play)")
  }

  @Test("words are taken in any case, keys and scales in all their names") func spellings() throws {
    #expect(try request("/pad/3/mode", .string("Repeat")) == .command(.set(.pad(.mode, pad3), .text("repeat"))))
    #expect(try request("/scale", .string("Dorian")) == .command(.set(.scale, .text("dorian"))))
    for scale in ["Aeolian", "ionian", "super locrian", "mixolydian ♭6"] {
      #expect(try request("/scale", .string(scale)) == .command(.set(.scale, .text(scale))))
    }
    for root in ["e♭", "Fb"] {
      #expect(try request("/key/root", .string(root)) == .command(.set(.keyRoot, .text(root))))
    }
    #expect(complaint("/scale", .string("e♭")).hasPrefix("scale 'e♭' is unknown"))
    #expect(complaint("/key/root", .string("aeolian")).hasPrefix("root 'aeolian' is unknown"))
    #expect(complaint("/pad/3/mode", .string("aeolian")).hasPrefix("mode 'aeolian' is unknown"))
  }

  @Test("the ends of a range are of it, though 32 bits bring them a little beyond") func ends() throws {
    let rate = PatchSetting.lfoRate
    #expect(try request("/instrument/lfo/rate", .float(0.02)) == .command(.set(.patch(rate), .float(0.02))))
    #expect(complaint("/instrument/lfo/rate", .float(0.0199)).contains("out of range"))
  }

  @Test("what is too long a time for seconds is said in larger ones") func durations() {
    let words = [
      (11.2, "11 s"), (119, "119 s"), (180, "3 min"), (7_200, "2 h"), (200_000, "2 days"), (290_643_962, "9 years"),
    ]
    for (seconds, text) in words { #expect(Wording.duration(seconds: seconds) == text) }
  }

  @Test(
    "an unknown address suggests the nearest",
    arguments: [
      ("/tempp", "/tempo"), ("/pad/3/gian", "/pad/3/gain"), ("/metronom", "/metronome"), ("/kit/nxt/x", "/kit/next"),
      ("/pads/3", "/pad/3"), ("/PLAY/", "/play"),
    ])
  func suggestions(address: String, near: String) {
    let text = complaint(address)
    #expect(text.hasPrefix("there is no such address"))
    if address != "/PLAY/" { #expect(text.contains("did you mean \(near)?"), "\(text)") }
  }

  @Test(
    "a pad that there is not is named in a score too",
    arguments: ["/pad/17", "/pad/0/gain", "/player/anna/pad/17", "/room/main/pad/17"])
  func padsOfScores(address: String) {
    var score = CommandReader(isScore: true)
    let error = #expect(throws: WireError.self) { try score.read(OSCMessage(address, .float(1))) }
    #expect(error?.description.contains("is out of range: this kit has pads 1–16 (\(address))") == true)
  }

  @Test("an address like nothing gets no suggestion") func noSuggestion() {
    #expect(complaint("/qqqqqqqqqq/zzzzzzzz").hasPrefix("there is no such address: /sync tells"))
    #expect(complaint("/" + String(repeating: "x", count: 5_000)).count < 300)
  }

  @Test("every row's address is read, and every command comes back from its own message") func inverse() throws {
    let table = AddressTable.standard
    let anna = PlayerName("anna")!
    let commands: [Command] = [
      .release(pad3), .cancel(pad3), .chooseKit(.id("studio")), .chooseKit(.index(4)),
      .chooseKit(.next), .chooseKit(.previous), .listKits, .tapTempo, .nudge(-20), .play, .stop,
      .set(.pad(.gain, pad3), .float(-6)), .set(.pad(.pan, pad3), .float(0.5)), .set(.pad(.mute, pad3), .bool(true)),
      .set(.gain, .float(-1)), .set(.mute, .bool(false)), .set(.masterGain, .float(-2)), .set(.tempo, .float(90)),
      .set(.signature, .signature(TimeSignature(beatsPerBar: 7, beatUnit: 8)!)), .set(.metronome, .bool(true)),
      .set(.metronomeGain, .float(-12)), .set(.metronomeSpeakers, .bool(true)), .toggle(.pad(.mute, pad3)),
      .toggle(.metronome), .read(.padName(pad3)), .read(.kit), .read(.tempo), .chat("hi"), .listChat, .panic,
      .panicEverybody,
      .set(.channelGain(anna), .float(-3)), .set(.channelMute(anna), .bool(true)), .toggle(.channelMute(anna)),
      .set(.channelSolo(anna), .bool(false)), .kick(anna), .set(.lock, .text("tempo")), .read(.host),
      .set(.channelGain(PlayerName("Jörg")!), .float(1)), .buildUp(bpm: 150, bars: 4, .late),
      .buildUp(bpm: nil, bars: 8, .ease), .drop, .cancelBuildUp, .rise(0.5, frames: 24_000), .hush(true),
      .chord("F#m7/A"),
      .set(.buildUpPad, .integer(3)), .toggle(.buildUpHold), .set(.buildUpSilence, .bool(true)),
      .set(.door, .bool(true)), .toggle(.door), .admit(anna), .takeBackAll(anna),
    ]
    var reader = CommandReader()
    var score = CommandReader(isScore: true)
    // A name of any script stands in the address as it is.
    let ben = PlayerName("Bénédicte-日本")!
    for command in commands {
      let message = try #require(table.message(for: command), "\(command)")
      #expect(try reader.read(message)?.request == .command(command), "\(message)")
      let named = try #require(table.message(for: command, by: ben))
      #expect(try score.read(named) == AddressedRequest(player: ben, request: .command(command)), "\(named)")
    }
    // Live, a number is on its player's scale; in a score it is what was played.
    let hit = Command.hit(pad3, Velocity(0.5)!)
    #expect(
      try score.read(try #require(table.message(for: hit, by: ben)))
        == AddressedRequest(player: ben, request: .command(hit)))
    for strike in [Strike(0.5)!, Strike(64, isInteger: true)!] {
      let command = Command.strike(pad3, strike)
      #expect(try reader.read(try #require(table.message(for: command)))?.request == .command(command))
    }
    #expect(try score.read(OSCMessage("/player/\(ben)/bye")) == AddressedRequest(player: ben, request: .session(.bye)))
    #expect(table.message(for: .play, by: ben) == OSCMessage("/player/\(ben)/play"))
    // Named, a player's own gain; unnamed, a host's hand on it.
    #expect(table.message(for: .set(.gain, .float(1)), by: ben) == OSCMessage("/player/\(ben)/gain", .float(1)))
    #expect(table.message(for: .set(.channelGain(ben), .float(1))) == OSCMessage("/player/\(ben)/gain", .float(1)))
  }

  @Test("every setting has an address, and its feedback uses it") func settings() {
    let clock = ServerClock()
    let all: [(Setting, SettingValue, OSCMessage)] = [
      (.pad(.gain, pad3), .float(-6), OSCMessage("/pad/3/gain", .float(-6))),
      (.pad(.mute, pad3), .bool(true), OSCMessage("/pad/3/mute", .int32(1))),
      (.padLit(pad3), .bool(false), OSCMessage("/pad/3/lit", .int32(0))),
      (.padPending(pad3), .bool(true), OSCMessage("/pad/3/pending", .int32(1))),
      (.padName(pad3), .text("kick"), OSCMessage("/pad/3/name", .string("kick"))),
      (.padSeconds(pad3), .float(0.5), OSCMessage("/pad/3/seconds", .float(0.5))),
      (.padCategory(pad3), .text("hat"), OSCMessage("/pad/3/category", .string("hat"))),
      (.kit, .text("studio"), OSCMessage("/kit", .string("studio"))),
      (.kitName, .text("Studio"), OSCMessage("/kit/name", .string("Studio"))),
      (.playing, .bool(true), OSCMessage("/play", .int32(1))),
      (.signature, .signature(.common), OSCMessage("/signature", .int32(4), .int32(4))),
      (.masterGain, .float(0), OSCMessage("/master/gain", .float(0))),
      (.door, .bool(true), OSCMessage("/room/door", .int32(1))),
      (.admitted(PlayerName("anna")!), .bool(false), OSCMessage("/player/anna/admit", .int32(0))),
    ]
    for (setting, value, message) in all {
      #expect(
        AddressTable.standard.feedback(for: .value(setting, value), clock: clock)
          == Feedback(timetag: nil, messages: [message]))
    }
  }

  @Test("every event is told") func events() {
    let anna = PlayerName("anna")!
    let events: [(Event, [String])] = [
      (.kitItem(index: 0, id: "a", name: "A", category: "c", description: "d"), ["/kits/item"]),
      (.beat(bar: 1, beat: 1, bpm: 120), ["/beat"]),
      (.nextBeat(bar: 1, beat: 2, bpm: 120, at: HostTime(nanoseconds: 0)), ["/beat/next"]),
      (
        .position(bar: 1, beat: 1, phase: 0, bpm: 120),
        ["/position", "/position/bar", "/position/beat", "/position/phase"]
      ),
      (.hit(player: anna, pad: pad3, velocity: 1, bar: 1, beat: 1.5), ["/hit"]),
      (.receipt(pad: pad3, bar: 1, beat: 1.5, shiftMilliseconds: 0), ["/receipt"]),
      (.late(pad: pad3, milliseconds: 3), ["/late"]), (.meter(player: "master", left: -3, right: -3), ["/meter"]),
      (.loudness(momentary: -14, shortTerm: -15, limited: 0.5), ["/loudness"]),
      (.levellerGain(-4), ["/master/leveller/gain"]),
      (.clip(player: "anna"), ["/clip"]), (.chat(player: anna, text: "hi"), ["/chat"]),
      (.chatItem(player: anna, text: "hi", secondsAgo: 7), ["/chats/item"]),
      (.playerAway(player: anna, isAway: true), ["/player/away"]),
      (.journal(JournalReport(.failing, reason: "the disk is full")), ["/journal/state"]),
      (.buildUp(BuildUpReport(state: .running, target: 150, barsLeft: 3)), ["/buildup/state"]),
      (.buildUpReplaced(player: anna, by: anna), ["/buildup/replaced"]),
      (.stopped(by: anna), ["/stopped"]), (.refused(.tapTempo, .locked(.tempo)), ["/error"]),
    ]
    for (event, addresses) in events {
      let feedback = AddressTable.standard.feedback(for: event, clock: ServerClock())
      #expect(feedback.messages.map(\.address) == addresses)
      #expect(!feedback.encoded().isEmpty)
    }
    let refused = AddressTable.standard.feedback(for: .refused(.tapTempo, .locked(.tempo)), clock: ServerClock())
    #expect(
      refused.messages == [
        OSCMessage(
          "/error", .string("/tempo/tap"),
          .string("a host has locked tempo: only hosts may change it until /lock none"),
          .string("locked"))
      ])
  }

  @Test("a text has a limit in bytes, and the error names it") func longTexts() throws {
    var reader = CommandReader()
    let most = String(repeating: "ä", count: 512)
    #expect(try reader.read(OSCMessage("/chat", .string(most)))?.request == .command(.chat(most)))
    for address in ["/chat", "/kit", "/lane/1/1"] {
      #expect {
        _ = try reader.read(OSCMessage(address, .string(most + "a")))
      } throws: {
        "\($0)".contains("1024 bytes are the most")
      }
    }
  }

  @Test("the reader forgets before it grows") func cache() throws {
    var reader = CommandReader(cacheLimit: 4)
    for i in 0..<100 { _ = try reader.read(OSCMessage("/kit/k\(i)")) }
    #expect(try reader.read(OSCMessage("/kit/k7"))?.request == .command(.chooseKit(.id("k7"))))
  }
}
