import JamCore
import JamNet
import JamRealtime
import JamWire
import Synchronization
import Testing

@testable import JamOSC

@Suite("What the edge learns of a sender") struct SenderHabitTests {
  private func value(_ controller: Controller, _ address: String) -> Float? {
    _ = controller.received()
    controller.send(address)
    guard case .float(let value)? = controller.received(address).last?.first else { return nil }
    return value
  }

  @Test("a knob of MIDI turns a fader of 0…1 from 2 on, and down to 1 and 0") func knob() throws {
    let rig = try EdgeRig()
    let box = try Controller(rig)
    try box.hello("box")
    box.send("/macro/1", .int32(64))
    #expect(box.received("/notice").map { $0.last?.text } == ["values-are-midi"])
    #expect(value(box, "/macro/1") == 64.0 / 127)
    for number in [127, 2, 1, 0] as [Int32] {
      box.send("/macro/1", .int32(number))
      #expect(box.received("/error").isEmpty && value(box, "/macro/1") == Float(number) / 127)
    }
    // Pure Data and Max send the same as floats.
    box.send("/macro/1", .float(1))
    #expect(value(box, "/macro/1") == 1.0 / 127)
    // On a range with a middle, 64 is the middle.
    box.send("/pad/3/pan", .int32(64))
    #expect(value(box, "/pad/3/pan") == 0)
    box.send("/pad/3/pan", .int32(0))
    #expect(value(box, "/pad/3/pan") == -1)
    box.send("/n/gain", .int32(127))
    #expect(value(box, "/gain") == 12)
  }

  @Test("whoever sends 0…1 keeps its meaning: another sender, another fader, and after a fraction") func shares() throws
  {
    let rig = try EdgeRig()
    let (box, hand) = (try Controller(rig), try Controller(rig))
    try box.hello("box")
    try hand.hello("hand")
    box.send("/macro/1", .int32(64))
    box.send("/macro/2", .int32(1))
    #expect(value(box, "/macro/2") == 1)
    hand.send("/macro/1", .int32(1))
    #expect(value(hand, "/macro/1") == 1)
    box.send("/macro/1", .float(0.5))
    #expect(value(box, "/macro/1") == 0.5)
    box.send("/macro/1", .int32(1))
    #expect(value(box, "/macro/1") == 1)
    box.send("/macro/1", .int32(64))
    box.send("/macro/1", .true)
    #expect(value(box, "/macro/1") == 1)
  }

  @Test("a number that is not MIDI's, or that a fader's own unit may mean, is refused") func refused() throws {
    let rig = try EdgeRig()
    let box = try Controller(rig)
    try box.hello("box")
    for (address, argument) in [
      ("/macro/1", .int32(128)), ("/macro/1", .float(1.5)), ("/macro/1", .int32(-1)), ("/gain", .int32(64)),
      ("/loop/bars", .int32(127)), ("/pad/3/mode", .int32(64)),
    ] as [(String, OSCArgument)] {
      _ = box.received()
      box.send(address, argument)
      #expect(box.received("/error").count == 1, "\(address)")
    }
  }

  @Test("a value of MIDI that waits is replaced by the next one") func replaced() throws {
    var (kinds, reader) = (ControlKinds(), CommandReader())
    func kind(_ message: OSCMessage) -> PacketQueue.Kind {
      message.encoded().withUnsafeBytes { kinds.kind(of: $0, replaces: { _ in true }, &reader) }
    }
    for address in ["/macro/1", "/n/gain", "/pad/3/pan"] {
      guard case .value = kind(OSCMessage(address, .int32(64))) else {
        Issue.record("\(address)")
        continue
      }
    }
    guard case .barrier = kind(OSCMessage("/gain", .int32(64))) else {
      Issue.record("/gain")
      return
    }
  }

  @Test("touches of controls are counted, and neither answered nor taken for a fault") func touches() throws {
    let rig = try EdgeRig()
    let phone = try Controller(rig)
    for _ in 0..<50 {
      phone.send("/1/fader1/z", .float(1))
      phone.send("/pad/3/gain/z", .float(0))
      rig.pass(milliseconds: 10)
    }
    #expect(phone.received("/error").isEmpty)
    #expect(rig.counters.touches.load(ordering: .relaxed) == 100)
    #expect(rig.counters.refused.load(ordering: .relaxed) == 0)
    #expect(rig.searches == 0)
    phone.send("/1/fader1", .float(1))
    #expect(phone.received("/error").count == 1)
  }

  @Test("feedback to the server's own port is refused: it would answer itself") func ownPort() throws {
    let rig = try EdgeRig()
    let hand = try Controller(rig)
    hand.send("/subscribe", .int32(Int32(rig.address.port)))
    let error = try #require(hand.received("/error").first)
    #expect(error.last?.text == "own-port")
    #expect(rig.counters.subscribers.load(ordering: .relaxed) == 0)
    let panel = try Controller(rig)
    hand.send("/subscribe", .int32(Int32(panel.socket.localAddress.port)))
    #expect(hand.received("/error").isEmpty && !panel.received().isEmpty)
  }

  @Test("OSC at the page's port is told the right one, once for each host and look") func wrongPort() throws {
    let counters = OSCCounters()
    let notes = Notes()
    let watch = WrongPortWatch(
      at: [.loopback(port: 0)], oscPort: 8_000, counters: counters, log: notes, isNear: { $0.isLoopback })
    let port = try #require(watch.ports.first)
    let rig = try EdgeRig()
    let (phone, other) = (try Controller(rig), try Controller(rig))
    func send(_ bytes: [UInt8], from controller: Controller) {
      _ = bytes.withUnsafeBytes {
        controller.socket.send($0, along: NetworkPath(peer: .loopback(port: port)))
      }
    }
    let hit = OSCMessage("/pad/1", .float(1)).encoded()
    for _ in 0..<5 { send(hit, from: phone) }
    send(Array("GET / HTTP/1.1".utf8), from: other)
    // It answers no answer.
    send(OSCMessage("/error", .string("/")).encoded(), from: other)
    watch.look(at: HostTime(nanoseconds: 0))
    let answer = try #require(phone.received("/error").first)
    #expect(answer.last?.text == "wrong-port" && answer[1].text?.contains("port 8000") == true)
    #expect(phone.received().isEmpty && other.received().isEmpty)
    #expect(counters.wrongPort.load(ordering: .relaxed) == 6)
    send(hit, from: phone)
    watch.look(at: HostTime(nanoseconds: 1_000_000_000))
    #expect(notes.events.withLock { $0 }.filter { $0.kind == .wrongPort }.count == 1)
    // The port that OSC has itself is not taken twice.
    #expect(
      WrongPortWatch(
        at: [.loopback(port: 8_000)], oscPort: 8_000, counters: counters, log: notes, isNear: { _ in true }
      ).ports.isEmpty)
  }
}
