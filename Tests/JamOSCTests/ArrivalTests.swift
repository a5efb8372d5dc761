import JamCore
import JamNet
import JamWire
import Synchronization
import Testing

@Suite struct ArrivalTests {
  // MARK: Timetags

  @Test("a timetagged hit sounds on its frame exactly") func tagged() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    let frames = [50_000, 50_001, 66_667, 95_999] as [Int64]
    for frame in frames {
      let time = rig.room.anchor.time(of: Frames(frame))
      controller.bundle(OSCMessage("/pad/1", .float(1)), at: rig.clock.timetag(at: time))
      // A client that computes in doubles is up to 240 ns off.
      controller.bundle(OSCMessage("/pad/2", .float(1)), at: rig.clock.timetag(at: time.advanced(byNanoseconds: -240)))
    }
    rig.pass(milliseconds: 1_100)
    #expect(rig.hits().map(\.frame) == frames.flatMap { [$0, $0] })
    #expect(controller.received("/late").isEmpty)
  }

  @Test("a tag that is past plays now and is answered by how late it was") func past() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send("/ping")
    controller.send("/subscribe", .string("hits"))
    controller.bundle(OSCMessage("/pad/1", .float(1)), at: rig.tag(-100))
    #expect(rig.hits().map(\.frame) == [rig.frame + 240])
    let late = try #require(controller.received("/late").first)
    #expect(late == [.int32(1), .float(105)])
  }

  @Test("a tag more than 10 s ahead is an error that says so") func tooFar() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send("/ping")
    controller.bundle(OSCMessage("/pad/1", .float(1)), at: rig.tag(9_999))
    rig.pass(milliseconds: 10_000)
    #expect(rig.hits().count == 1)
    controller.bundle(OSCMessage("/pad/1", .float(1)), at: rig.tag(12_000))
    #expect(rig.hits().isEmpty)
    let error = try #require(controller.received("/error").first)
    #expect(error[1].text?.contains("12 s ahead: 10 s is the limit") == true)
  }

  @Test("beyond 2 s a client that never pinged plays now; one that did is taken at its word") func unpinged() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send("/subscribe", .string("hits"))
    controller.bundle(OSCMessage("/pad/1", .float(1)), at: rig.tag(3_000))
    #expect(rig.hits().map(\.frame) == [rig.frame + 240])
    #expect(controller.received("/late").count == 1)
    var begin = rig.frame
    controller.bundle(OSCMessage("/pad/2", .float(1)), at: rig.tag(1_900))
    rig.pass(milliseconds: 2_000)
    #expect(rig.hits().map(\.frame) == [begin + 91_200])
    controller.send("/ping")
    begin = rig.frame
    controller.bundle(OSCMessage("/pad/3", .float(1)), at: rig.tag(3_000))
    #expect(rig.hits().isEmpty)
    rig.pass(milliseconds: 3_000)
    #expect(rig.hits().map(\.frame) == [begin + 144_000])
  }

  @Test("after the wall clock was set, tags of a client without a ping are read by it; /ping's clock stays")
  func clockSet() throws {
    let notes = Notes()
    let rig = try EdgeRig(log: notes)
    let (plain, pinged) = (try Controller(rig), try Controller(rig))
    pinged.send("/ping")
    rig.pass(milliseconds: 1_000)
    rig.setWallClock(ahead: 3_600)
    func wall(_ milliseconds: Double) -> OSCTimetag { rig.tag(milliseconds + 3_600_000) }

    // Until the clock has settled, nobody knows whether it stays.
    plain.bundle(OSCMessage("/pad/1", .float(1)), at: wall(100))
    let early = try #require(plain.received("/error").first)
    #expect(early[1].text?.contains("60 min ahead") == true)
    rig.pass(milliseconds: 5_000)
    #expect(rig.hits().isEmpty)

    var begin = rig.frame
    plain.bundle(OSCMessage("/pad/1", .float(1)), at: wall(100))
    pinged.bundle(OSCMessage("/pad/2", .float(1)), at: rig.tag(200))
    // A program beside the server pinged before, and its clock was set as well.
    pinged.bundle(OSCMessage("/pad/3", .float(1)), at: wall(300))
    rig.pass(milliseconds: 400)
    #expect(rig.hits().map(\.frame) == [begin + 4_800, begin + 9_600, begin + 14_400])

    // A program that takes moments from what the server tells.
    begin = rig.frame
    plain.bundle(OSCMessage("/pad/1", .float(1)), at: rig.tag(100))
    rig.pass(milliseconds: 200)
    #expect(rig.hits().map(\.frame) == [begin + 4_800])

    plain.bundle(OSCMessage("/pad/1", .float(1)), at: wall(60_000))
    let error = try #require(plain.received("/error").first)
    #expect(error[1].text?.contains("60 s ahead: 10 s is the limit") == true)
    #expect(error[1].text?.contains("the server's wall clock was set 60 min ahead") == true)
    _ = pinged.received()
    pinged.send("/ping")
    #expect(pinged.received("/pong") == [[.timetag(rig.tag(0)), .timetag(rig.tag(0))]])

    let told = notes.events.withLock { $0.filter { $0.kind == .clockStepped } }
    #expect(told.count == 1)
    let report = rig.counters.clock.withLock { $0 }
    #expect(report.steps == 1)
    #expect(report.aheadSeconds == 3_600)
  }

  @Test("ping is answered with its arguments and the server's clock") func ping() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send("/ping", .int32(7), .string("x"), .blob([]), .nil)
    let pong = try #require(controller.received("/pong").first)
    #expect(pong == [.int32(7), .string("x"), .blob([]), .nil, .timetag(rig.tag(0)), .timetag(rig.tag(0))])
  }

  @Test("frame is answered with the room's frame and its moment on the server's clock") func frame() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send("/frame")
    #expect(controller.received("/frame/at") == [[.int64(rig.frame), .timetag(rig.tag(0))]])
  }

  // MARK: Repeats and order

  @Test("a controller that sends everything twice hits once, until it has said hello") func doubleSends() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    for _ in 0..<2 { controller.send("/pad/1", .float(1)) }
    #expect(rig.hits().count == 1)
    rig.pass(milliseconds: 3)
    controller.send("/pad/1", .float(1))
    #expect(rig.hits().count == 1)
    rig.pass(milliseconds: 3)
    // Another velocity is another hit.
    controller.send("/pad/1", .float(0.5))
    controller.send("/pad/1", .float(0.75))
    #expect(rig.hits().count == 2)
    try controller.hello("anna")
    for _ in 0..<2 { controller.send("/pad/1", .float(1)) }
    #expect(rig.hits().count == 2)
  }

  @Test("what a network held back and let through at once is no double sending") func heldBack() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    for _ in 0..<6 {
      controller.send("/pad/1", .float(1))
      rig.pass(milliseconds: 20)
    }
    _ = rig.hits()
    for _ in 0..<7 { controller.send("/pad/1", .float(1)) }
    #expect(rig.hits().count == 7)
    // Who begins to send twice is known by it after a while.
    rig.pass(milliseconds: 20)
    for _ in 0..<8 {
      for _ in 0..<2 { controller.send("/pad/1", .float(1)) }
      rig.pass(milliseconds: 20)
    }
    _ = rig.hits()
    for _ in 0..<2 { controller.send("/pad/1", .float(1)) }
    #expect(rig.hits().count == 1)
  }

  func numbered(_ number: Int32, pad: Int, velocity: Float = 1) -> [UInt8] {
    numbered(number, OSCMessage("/pad/\(pad)", .float(velocity)))
  }

  func numbered(_ number: Int32, _ messages: OSCMessage...) -> [UInt8] {
    OSCPacket.encode([OSCMessage("/seq", .int32(number))] + messages)
  }

  @Test("numbered bundles sent twice are heard once, and hits wait for nothing") func sequence() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    for _ in 0..<2 { controller.send(numbered(1, pad: 1)) }
    controller.send(numbered(3, pad: 3))
    #expect(rig.hits() == [1, 3].map { EdgeRig.Hit(pad: $0, frame: rig.frame + 240, bus: 0) })
    controller.send(numbered(2, pad: 2))
    #expect(rig.hits().map(\.pad) == [2])
    for number in 1...3 as ClosedRange<Int32> { controller.send(numbered(number, pad: Int(number))) }
    #expect(rig.hits().isEmpty)
    #expect(rig.counters.repeated.load(ordering: .relaxed) == 4)
  }

  @Test("a release that comes behind others within 20 ms lets go", arguments: [3, 15] as [Double])
  func lateRelease(milliseconds: Double) throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send(numbered(1, pad: 1))
    controller.send(numbered(3, pad: 2))
    rig.pass(milliseconds: milliseconds)
    _ = rig.hits()
    controller.send(numbered(2, pad: 1, velocity: 0))
    #expect(rig.releases() == 1)
  }

  @Test("a release that was given up lets go all the same, but not of a hit that came after it") func overtaken() throws
  {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send(numbered(1, pad: 1))
    controller.send(numbered(3, pad: 2))
    rig.pass(milliseconds: 40)
    _ = rig.hits()
    controller.send(numbered(2, pad: 1, velocity: 0))
    #expect(rig.releases() == 1)
    // Struck again before the release came: the finger is on the pad.
    controller.send(numbered(4, pad: 1))
    controller.send(numbered(6, pad: 1))
    controller.send(numbered(5, pad: 1, velocity: 0))
    rig.pass(milliseconds: 40)
    #expect(rig.releases() == 0)
    controller.send(numbered(7, pad: 1, velocity: 0))
    #expect(rig.releases() == 1)
  }

  @Test("settings are put in order over 20 ms; one that comes later is dropped, counted and told") func settings()
    throws
  {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    func gain(_ number: Int32, _ value: Float) -> [UInt8] {
      numbered(number, OSCMessage("/pad/1/gain", .float(value)))
    }
    func heard() -> [[OSCArgument]] {
      controller.send("/pad/1/gain")
      return controller.received("/pad/1/gain")
    }
    controller.send(gain(1, -1))
    controller.send(gain(3, -3))
    rig.pass(milliseconds: 15)
    #expect(heard() == [[.float(-1)]])
    controller.send(gain(2, -2))
    #expect(heard() == [[.float(-3)]])
    controller.send(gain(5, -5))
    rig.pass(milliseconds: 19)
    #expect(heard() == [[.float(-3)]])
    rig.pass(milliseconds: 2)
    #expect(heard() == [[.float(-5)]])
    #expect(rig.counters.lost.load(ordering: .relaxed) == 1)
    rig.pass(milliseconds: 9)
    controller.send(numbered(4, OSCMessage("/pad/1/gain", .float(-4)), OSCMessage("/pad/2", .float(1))))
    let error = try #require(controller.received("/error").first)
    #expect(error.first?.text == "/pad/1/gain" && error[1].text?.contains("30 ms") == true, "\(error)")
    #expect(error[1].text?.contains("20 ms") == true, "\(error)")
    #expect(heard() == [[.float(-5)]])
    #expect(rig.hits().map(\.pad) == [2], "hits of it sound")
    #expect(rig.counters.late.load(ordering: .relaxed) == 1)
  }

  @Test("a hit behind a setting of its own bundle waits with it, one before it does not") func bundles() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    let setting = OSCMessage("/pad/2/gain", .float(-6))
    controller.send(numbered(1, pad: 1))
    controller.send(numbered(3, OSCMessage("/pad/3", .float(1)), setting, OSCMessage("/pad/2", .float(1))))
    #expect(rig.hits().map(\.pad) == [1, 3])
    controller.send(numbered(2, pad: 4))
    #expect(rig.hits().map(\.pad) == [4, 2])
  }

  @Test("a program that begins again at 1 is heard at once, whatever it sends", arguments: [0, 1, 3, 40] as [Double])
  func beginsAgain(pause: Double) throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    func play() -> Int {
      for number in 1...59 as ClosedRange<Int32> {
        for _ in 0..<2 { controller.send(numbered(number, pad: Int(number) % 16 + 1)) }
        rig.pass(milliseconds: 20)
      }
      return rig.hits().count
    }
    #expect(play() == 59)
    rig.pass(milliseconds: pause * 1_000)
    // The same bytes again within a second and a half: the first is taken for a copy.
    #expect(play() == (pause < 1 ? 58 : 59))
    #expect(play() >= 58)
  }

  @Test("/hello begins a new count") func helloBeginsCount() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    for number in 1...9 as ClosedRange<Int32> { controller.send(numbered(number, pad: 1)) }
    _ = rig.hits()
    try controller.hello("anna")
    for number in 1...9 as ClosedRange<Int32> { controller.send(numbered(number, pad: 1)) }
    #expect(rig.hits().count == 9)
    // Numbered itself.
    rig.pass(milliseconds: 300)
    controller.send(numbered(1, OSCMessage("/hello", .string("anna"))))
    for number in 2...9 as ClosedRange<Int32> { controller.send(numbered(number, pad: 1)) }
    #expect(rig.hits().count == 8)
  }

  // MARK: What was heard

  @Test("a numbered, timetagged bundle with what was heard is a hit, recorded there") func heard() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send("/subscribe", .string("hits"))
    controller.send("/timing", .string("heard"))
    rig.pass(milliseconds: 1_000)
    func heard(_ frame: Int64) -> OSCMessage { OSCMessage("/heard", .int64(frame)) }
    let hit = OSCMessage("/pad/1", .float(1))
    controller.bundle(heard(rig.frame - 9_600), hit)
    #expect(rig.hits().map(\.frame) == [rig.frame + 240])
    #expect(controller.received("/receipt").compactMap { $0.last } == [.float(-205)])
    let begin = rig.frame
    for _ in 0..<2 {
      controller.bundle(OSCMessage("/seq", .int32(1)), heard(rig.frame - 4_800), hit, at: rig.tag(50))
    }
    rig.pass(milliseconds: 60)
    #expect(rig.hits().map(\.frame) == [begin + 2_400])
    #expect(controller.received("/receipt").compactMap { $0.last } == [.float(-150)])
    controller.bundle(heard(rig.frame + 48_000), hit)
    #expect(rig.hits().isEmpty)
    let error = try #require(controller.received("/error").first)
    #expect(error.first == .string("/pad/1") && error[1].text?.contains("1000 ms in the future") == true)
    controller.bundle(hit, heard(rig.frame))
    #expect(controller.received("/error").first?.first == .string("/heard"))
    _ = rig.hits()
  }

  // MARK: Loss

  @Test("behind a lost bundle hits keep their arrival, and one that was only late sounds when it comes") func gap()
    throws
  {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send(numbered(1, pad: 1))
    _ = rig.hits()
    let arrival = rig.frame
    controller.send(numbered(3, pad: 3))
    #expect(rig.hits() == [EdgeRig.Hit(pad: 3, frame: arrival + 240, bus: 0)])
    rig.pass(milliseconds: 30)
    controller.send(numbered(2, pad: 2))
    #expect(rig.hits() == [EdgeRig.Hit(pad: 2, frame: rig.frame + 240, bus: 0)])
  }

  @Test("a release that comes behind a newer hit lets go at its own time, where that lies before the hit's")
  func lateReleaseAhead() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    let begin = rig.frame
    let packets = [(1, 200), (0, 300), (1, 400), (0, 500)].enumerated().map { place, packet in
      OSCPacket.encode(
        [OSCMessage("/seq", .int32(Int32(place + 1))), OSCMessage("/pad/1", .float(packet.0))],
        at: rig.tag(Double(packet.1)))
    }
    // The second is given up before it comes.
    for place in [0, 2, 3, 1] {
      controller.send(packets[place])
      rig.pass(milliseconds: 30)
    }
    rig.pass(milliseconds: 600)
    var (starts, releases): ([Int64], [Int64]) = ([], [])
    while let command = rig.parts.commands.ring.pop() {
      switch command.action {
      case .start(let start):
        start.use.release()
        starts.append(command.frame.count - begin)
      case .release: releases.append(command.frame.count - begin)
      default: break
      }
    }
    #expect(starts == [9_600, 19_200] && releases == [14_400, 24_000])
  }

  @Test("numbers wrap, and a client may begin again") func wrap() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send(numbered(.max, pad: 1))
    controller.send(numbered(.min, pad: 2))
    controller.send(numbered(1, pad: 3))
    rig.pass(milliseconds: 5)
    #expect(rig.hits().map(\.pad) == [1, 2, 3])
  }

  // MARK: Too much

  @Test("one source's flood costs only itself") func flood() throws {
    let notes = Notes()
    let rig = try EdgeRig(log: notes)
    let flooder = try Controller(rig)
    let player = try Controller(rig, host: .ipv4(127, 0, 0, 2))
    let hits = (0..<997).map { OSCMessage("/pad/1", .float(0.001 * Float($0 + 1))).encoded() }
    for i in 0..<100_000 {
      flooder.throwIn(hits[i % hits.count])
      if i % 100 == 99 {
        rig.take()
        _ = rig.hits()
        rig.pass(milliseconds: 1)
      }
    }
    player.send("/pad/2", .float(1))
    #expect(rig.hits().map(\.pad).contains(2))
    // 20,000 in this second, and what may come at once.
    #expect(rig.counters.flooded.load(ordering: .relaxed) > 75_000)
    #expect(rig.counters.messages.load(ordering: .relaxed) < 25_000)
    let errors = flooder.received("/error")
    #expect(!errors.isEmpty && errors.count < 50)
    let logged = notes.events.withLock { $0 }.filter { $0.kind == .senderFlooded }
    #expect(logged.count == errors.count)
    #expect(logged.first?.fields.map(\.value) == [.text("127.0.0.1"), .text("messages")])
  }

  @Test("a bundle of thousands counts as thousands") func largeBundles() throws {
    let rig = try EdgeRig()
    let flooder = try Controller(rig)
    let messages = (0..<300).map { OSCMessage("/pad/1", .float(0.001 * Float($0 + 1))) }
    for i in 0..<100 { flooder.send(OSCPacket.encode(messages, at: OSCTimetag(raw: 1 &+ UInt64(i & 0)))) }
    _ = rig.hits()
    #expect(rig.counters.messages.load(ordering: .relaxed) <= 4_000)
  }

  @Test("a host that takes a new port for every packet crowds out only itself") func manyPorts() throws {
    let rig = try EdgeRig()
    let hit = OSCMessage("/pad/1", .float(1)).encoded()
    for port in 1...3_000 as ClosedRange<UInt16> { rig.take(hit, from: .ipv4(127, 0, 0, 9, port: port)) }
    _ = rig.hits()
    #expect(rig.counters.endpoints.load(ordering: .relaxed) == 2_048)
    // A newer port has the place of an older one.
    #expect(rig.counters.flooded.load(ordering: .relaxed) == 0)
    try Controller(rig).send("/pad/2", .float(1))
    #expect(rig.hits().map(\.pad) == [2])
    rig.take(hit, from: .ipv4(127, 0, 0, 9, port: 5_000))
    #expect(rig.hits().map(\.pad) == [1])
  }

  @Test("errors to one endpoint are limited") func errors() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    for i in 0..<500 { controller.send("/nowhere/\(i)") }
    #expect(controller.received("/error").count == 20)
    rig.pass(milliseconds: 1_000)
    controller.send("/pad/17")
    #expect(
      controller.received("/error")
        == [
          [
            .string("/pad/17"), .string("pad 17 is out of range: this kit has pads 1–16 (/pad/17)"),
            .string("pad-out-of-range"),
          ]
        ])
  }

  @Test("bytes that are no OSC are answered with the reason, and the next hit sounds") func garbage() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    let hit = OSCMessage("/pad/1", .float(1)).encoded()
    controller.send(Array("hello world!".utf8))
    controller.send(Array(hit.dropLast()))
    controller.send([UInt8](repeating: 0x2f, count: 9_000))
    controller.send(Array("#bundle\0".utf8))
    let reasons = controller.received("/error").compactMap(\.[1].text)
    #expect(reasons.count == 4)
    #expect(reasons.contains { $0.contains("8192") })
    controller.send(hit)
    #expect(rig.hits().count == 1)
  }

  @Test("patterns set the sender's own pads") func patterns() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send("/pad/*/gain", .float(-3))
    controller.send("/pad/16/gain")
    #expect(controller.received("/pad/16/gain") == [[.float(-3)]])
  }

  @Test("a held pad ends after 16 s without any message from its player") func lostRelease() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send("/pad/1", .float(1))
    rig.pass(milliseconds: 10_000)
    controller.send("/ping")
    _ = rig.releases()
    rig.pass(milliseconds: 10_000)
    #expect(rig.releases() == 0)
    rig.pass(milliseconds: 8_000)
    #expect(rig.releases() == 1)
  }
}

extension EdgeRig {
  /// Releases that the room sent to its engine since the last look.
  func releases() -> Int {
    var count = 0
    while let command = parts.commands.ring.pop() {
      switch command.action {
      case .release: count += 1
      case .start(let start): start.use.release()
      default: break
      }
    }
    return count
  }
}
