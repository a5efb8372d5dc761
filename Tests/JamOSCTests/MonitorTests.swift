import JamCore
import JamNet
import JamRealtime
import JamRoom
import JamWire
import NIOCore
import NIOEmbedded
import Testing

@testable import JamOSC

/// Who is told what came from whom, and what of it.
@Suite struct MonitorTests {
  private static let annsHost = SocketAddress.ipv4(127, 0, 0, 2)
  private static let bobsHost = SocketAddress.ipv4(127, 0, 0, 3)

  /// A host who watches, on a machine of its own.
  private func host(_ rig: EdgeRig) throws -> Controller {
    let host = try Controller(rig, host: .ipv4(127, 0, 0, 9))
    try host.hello("host")
    host.send("/host", .string("word"))
    host.send("/subscribe", .string("monitor"))
    #expect(host.received("/monitor/scope") == [[.string("all")]])
    return host
  }

  /// Player, address, arguments, verdict, reason and code of each line.
  private func lines(_ watcher: Controller) -> [[String]] {
    watcher.received("/monitor").map { line in [2, 4, 5, 6, 7, 8].map { line[$0].text ?? "?" } }
  }

  private func isWatched(_ rig: EdgeRig) -> Bool { rig.on { [edge = rig.edge] in edge.feedback.isWatched } }

  @Test("a host is told what was understood, what was refused and why") func verdicts() throws {
    let rig = try EdgeRig()
    let host = try host(rig)
    let pads = try Controller(rig, host: Self.annsHost)
    try pads.hello("ann")
    #expect(
      lines(host) == [
        ["ann", "/hello", "••• ••• ••• •••", "understood", "/hello: •••, •••, •••, •••", ""]
      ])
    pads.send("/pad/3", .float(0.8))
    pads.send("/pad/17", .float(1))
    pads.send("/pad/3/gain", .float(99))
    pads.send("/temppo", .float(100))
    pads.send("/undo", .float(0))
    pads.send("/lock", .string("tempo"))
    pads.send(Array("nonsense".utf8))
    let told = lines(host)
    #expect(told.count == 7)
    #expect(told.first == ["ann", "/pad/3", "0.8", "understood", "/pad/3: velocity 0.8", ""])
    #expect(told.dropFirst().map { $0[3] } == ["refused", "refused", "refused", "ignored", "refused", "refused"])
    #expect(
      told.map { $0[5] } == [
        "", "pad-out-of-range", "out-of-range", "unknown-address", "release", "host-only", "bad-packet",
      ])
    #expect(told[3][4] == "there is no such address: did you mean /tempo? (/temppo)")
    #expect(told[2][4].contains("is out of range: "))
  }

  @Test("a line names the moment, the sender and its transport") func senders() throws {
    let rig = try EdgeRig()
    let host = try host(rig)
    let pads = try Controller(rig, host: Self.annsHost)
    pads.send("/pad/1", .float(1))
    let line = try #require(host.received("/monitor").first)
    #expect(line[0] == .int64(rig.frame))
    #expect(line[1].text == "127.0.0.2:\(pads.socket.localAddress.port)")
    #expect(line[2].text == "guest-127.0.0.2")
    #expect(line[3].text == "udp")
  }

  @Test("anybody else sees the own player and the own address, and nobody sees its own connection") func rights() throws
  {
    let rig = try EdgeRig()
    let page = try Controller(rig, host: Self.annsHost)
    try page.hello("ann")
    page.send("/subscribe", .string("monitor"))
    #expect(page.received("/monitor/scope") == [[.string("own")]])
    let own = try Controller(rig, host: Self.annsHost)
    let other = try Controller(rig, host: Self.bobsHost)
    other.send("/pad/1", .float(1))
    other.send("/nowhere")
    page.send("/pad/2", .float(1))
    #expect(lines(page).isEmpty)
    own.send("/pad/3", .float(1))
    own.send("/nowhere")
    #expect(lines(page).map { $0[1] } == ["/pad/3", "/nowhere"])
    // The host's word makes it see everybody, and it is told so.
    page.send("/host", .string("word"))
    rig.pass(milliseconds: 600)
    #expect(page.received("/monitor/scope") == [[.string("all")]])
    other.send("/pad/1", .float(1))
    #expect(lines(page).map { $0[1] } == ["/pad/1"])
  }

  @Test("nothing of another room is told") func rooms() throws {
    let rig = try EdgeRig()
    let host = try host(rig)
    let other = try Controller(rig, host: Self.annsHost)
    other.send("/hello", .string("ann"), .string("attic"))
    other.send("/pad/1", .float(1))
    other.send("/nowhere")
    other.send("/room/vault/pad/1", .float(1))
    other.send("/n/room/attic/master/gain", .float(1))
    #expect(lines(host).isEmpty)
    // It comes to this room by an address, and is in it then.
    other.send("/room/main/pad/1", .float(1))
    other.send("/room/main/pad/2", .float(1))
    other.send("/pad/5", .float(1))
    let told = lines(host).map { $0[1] }
    #expect(told == ["/room/main/pad/2"])
  }

  @Test("no word and no token is in a line, however it is sent") func secrets() throws {
    let rig = try EdgeRig(password: "sesame")
    let host = try Controller(rig, host: .ipv4(127, 0, 0, 9))
    host.send("/password", .string("sesame"))
    try host.hello("host")
    host.send("/host", .string("word"))
    host.send("/subscribe", .string("monitor"))
    let carl = try Controller(rig, host: Self.bobsHost)
    carl.send("/password", .string("sesame"))
    let token = try carl.hello("carl")
    _ = host.received()
    let other = try Controller(rig, host: Self.annsHost)
    other.send("/hello", .string("ann"), .string("main"), .string("sesame"), .string(token))
    other.send("/helo", .string("ann"), .string("main"), .string("sesame"), .string(token))
    other.send("/password/sesame")
    other.send("/password", .int32(471_100))
    other.send("/password", .string("sesame"), .string("sesame"))
    other.send("/host", .string("sesame"))
    other.send("/token", .string(token))
    other.send("/sync", .string("/token/\(token)"))
    other.send("/chat", .string("sesame"))
    let told = host.received("/monitor")
    #expect(told.count == 9)
    let texts = told.flatMap { $0.compactMap(\.text) }.joined(separator: "\n")
    for secret in ["sesame", token, "471100"] { #expect(!texts.contains(secret), "\(texts)") }
  }

  @Test("a flood is thinned and counted, and hides neither a refusal nor another sender") func thinned() throws {
    let rig = try EdgeRig()
    let host = try host(rig)
    let flood = try Controller(rig, host: Self.annsHost)
    let other = try Controller(rig, host: Self.bobsHost)
    for i in 0..<300 { flood.send("/pad/\(i % 16 + 1)", .float(1)) }
    other.send("/pad/1", .float(1))
    other.send("/nowhere")
    let told = host.received()
    let lines = told.filter { $0.address == "/monitor" }
    #expect(lines.count == MonitorPace.ofOneSender + 2)
    #expect(lines.suffix(2).map { $0.arguments[4].text } == ["/pad/1", "/nowhere"])
    rig.pass(milliseconds: 600)
    #expect(host.received("/monitor/more") == [[.int32(Int32(300 - MonitorPace.ofOneSender))]])
    rig.pass(milliseconds: 600)
    #expect(host.received("/monitor/more").isEmpty)
  }

  @Test("of many senders a watcher is told 100 lines a second, and 30 of these are for refusals") func pace() {
    var pace = MonitorPace()
    let moment = HostTime(nanoseconds: 5_000_000_000)
    func taken(_ count: Int, isRefused: Bool, at now: HostTime) -> Int {
      (0..<count).count { pace.takes(isRefused: isRefused, from: Origin(number: UInt64($0 % 10)), at: now) }
    }
    #expect(taken(1_000, isRefused: false, at: moment) == MonitorPace.understoodPerSecond)
    #expect(taken(1_000, isRefused: true, at: moment) == 30)
    #expect(pace.takeLeftOut() == 1_900)
    #expect(taken(1_000, isRefused: true, at: moment.advanced(byMilliseconds: 1_000)) == MonitorPace.linesPerSecond)
    #expect(pace.takeLeftOut() == 900)
  }

  @Test("packets that are left out before they are read are told, too") func leftOut() throws {
    let rig = try EdgeRig()
    let host = try host(rig)
    let phone = try Controller(rig, host: Self.annsHost)
    for _ in 0..<3 {
      phone.send("/accxyz", .float(0.5))
      rig.pass(milliseconds: 16)
    }
    #expect(lines(host).map { $0[5] } == ["unknown-address", "unknown-address", "unknown-address"])
    for _ in 0..<2 { phone.send("/pad/1", .float(1)) }
    #expect(lines(host).map { [$0[3], $0[5]] } == [["understood", ""], ["ignored", "repeated"]])
  }

  @Test("a finger that touches a control is told as that, and a button that comes up as its release")
  func touches() throws {
    let rig = try EdgeRig()
    let host = try host(rig)
    let phone = try Controller(rig, host: Self.annsHost)
    phone.send("/1/fader1/z", .float(1))
    phone.send("/loop/record", .float(0))
    #expect(
      lines(host).map { [$0[1], $0[3], $0[5]] } == [
        ["/1/fader1/z", "ignored", "touch"], ["/loop/record", "ignored", "release"],
      ])
  }

  @Test("a fader whose numbers turn out to be MIDI's is told with the notice that its sender gets")
  func midi() throws {
    let rig = try EdgeRig()
    let host = try host(rig)
    let bridge = try Controller(rig, host: Self.annsHost)
    bridge.send("/macro/1", .int32(64))
    bridge.send("/macro/1", .int32(65))
    #expect(
      lines(host).map { [$0[3], $0[5]] } == [["noticed", "values-are-midi"], ["understood", ""]])
  }

  @Test("what programs send by themselves is told only when it is refused") func quiet() throws {
    let rig = try EdgeRig()
    let host = try host(rig)
    let page = try Controller(rig, host: Self.annsHost)
    page.send("/ping", .int32(1))
    page.send("/hearing", .float(0))
    #expect(lines(host).isEmpty)
    page.send("/hearing", .string("x"))
    #expect(lines(host).map { $0[3] } == ["refused"])
  }

  @Test("64 who are no hosts may watch a room, whichever way they come to it, and a host always may")
  func bounded() throws {
    let rig = try EdgeRig()
    let wish = OSCMessage("/subscribe", .string("monitor")).encoded()
    for host in 0..<(OSCMonitor.mostWatchers - 1) as Range<Int> {
      rig.take(wish, from: .ipv4(127, 0, 1, UInt8(host), port: 9_000))
    }
    let last = try Controller(rig, host: Self.annsHost)
    last.send("/subscribe", .string("monitor"))
    #expect(last.received("/monitor/scope") == [[.string("own")]])
    let late = try Controller(rig, host: Self.bobsHost)
    late.send("/subscribe", .string("monitor"))
    #expect(late.received("/error").map { $0[2].text } == ["too-many-watchers"])
    // Who watches already subscribes again.
    last.send("/subscribe", .string("monitor"), .string("hits"))
    #expect(last.received("/error").isEmpty)
    let host = try host(rig)
    last.send("/pad/1", .float(1))
    #expect(lines(host).map { $0[1] } == ["/pad/1"])
    // Another room has places of its own. Who comes from there watches no more.
    late.send("/hello", .string("bob"), .string("attic"))
    late.send("/subscribe", .string("monitor"))
    #expect(late.received("/monitor/scope") == [[.string("own")]])
    late.send("/hello", .string("bob"), .string("main"))
    let count = rig.on { [edge = rig.edge] in edge.outbox.monitor.watchers.count }
    #expect(count == OSCMonitor.mostWatchers + 1)
  }

  @Test("nobody watches after the end of the subscription") func end() throws {
    let rig = try EdgeRig()
    let host = try host(rig)
    #expect(isWatched(rig))
    host.send("/subscribe", .string("hits"))
    #expect(!isWatched(rig))
    host.send("/subscribe/monitor")
    #expect(isWatched(rig))
    host.send("/unsubscribe")
    #expect(!isWatched(rig))
    let pads = try Controller(rig, host: Self.annsHost)
    pads.send("/pad/1", .float(1))
    #expect(lines(host).isEmpty)
  }

  @Test("a restart of the server ends the watching over UDP") func restart() throws {
    let rig = try EdgeRig()
    _ = try host(rig)
    rig.beginAnew(rig.senders)
    #expect(!isWatched(rig))
    let count = rig.on { [edge = rig.edge] in edge.feedback.count }
    #expect(count > 0)
  }

  @Test("a connection that subscribes anew still gets the values that waited") func waiting() async throws {
    let rig = try EdgeRig()
    let channel = try await StreamTests().connect(to: rig)
    func send(_ message: OSCMessage) async throws {
      try await channel.writeInbound(ByteBuffer(bytes: Framing.lengthPrefix.frame(message.encoded())))
      rig.on {}
    }
    func swings() async throws -> [OSCArgument] {
      try await StreamTests().received(channel, .lengthPrefix).filter { $0.address == "/swing" }.flatMap(\.arguments)
    }
    try await send(OSCMessage("/hello", .string("ann")))
    rig.pass(milliseconds: 200)
    _ = try await swings()
    let bob = try Controller(rig, host: Self.bobsHost)
    bob.send("/swing", .float(0.5))
    rig.pass(milliseconds: 1)
    bob.send("/swing", .float(0.25))
    try await send(OSCMessage("/subscribe", .string("state"), .string("monitor")))
    rig.pass(milliseconds: 200)
    #expect(try await swings() == [.float(0.5), .float(0.25)])
  }
}
