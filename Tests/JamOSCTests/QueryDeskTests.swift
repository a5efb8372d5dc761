import JamCore
import JamNet
import JamRoom
import JamWire
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import JamOSC

/// The desk of OSCQuery on an event loop that the test steps.
@Suite struct QueryDeskTests {
  /// The desk's orders, which nobody carries out.
  final class Orders: QueryOrders, @unchecked Sendable {
    // Unchecked: one thread.
    var found: [Int] = []
    var followed = 0
    var forgotten = 0
    var heard: [Int: Bool] = [:]
    var read: [Int] = []
    var closed: [Int] = []

    func find(_ room: PlayerName?, _ asker: QueryQuestion.Asker, for question: Int) -> Bool {
      found.append(question)
      return true
    }
    func follow(_ connection: StreamConnection) { followed += 1 }
    func forget(_ connection: StreamConnection) { forgotten += 1 }
    func hear(_ tap: Int, _ isHeard: Bool) { heard[tap] = isHeard }
    func read(_ tap: Int) { read.append(tap) }
    func close(_ tap: Int) -> Bool {
      closed.append(tap)
      return true
    }
  }

  /// A socket that takes nothing for a while.
  final class Holder: ChannelOutboundHandler, @unchecked Sendable {
    // Unchecked: one thread.
    typealias OutboundIn = ByteBuffer
    var isHolding = false
    private var held: [(NIOAny, EventLoopPromise<Void>?)] = []
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      if isHolding { held.append((data, promise)) } else { context.write(data, promise: promise) }
    }

    func release() {
      isHolding = false
      for (data, promise) in held { context?.write(data, promise: promise) }
      held = []
      context?.flush()
    }
  }

  /// A desk, one client, and the room that the desk takes the names of kits from.
  final class Rig {
    let loop = EmbeddedEventLoop()
    let orders = Orders()
    let counters = OSCCounters()
    let desk: QueryDesk
    let channel = EmbeddedChannel()
    let connection: StreamConnection
    let holder = Holder()
    let edge: EdgeRig

    init() throws {
      edge = try EdgeRig()
      desk = QueryDesk(on: loop, clock: edge.clock, counters: counters)
      desk.use(orders)
      try channel.pipeline.syncOperations.addHandler(holder)
      try channel.connect(to: .init(unixDomainSocketPath: "/test")).wait()
      connection = StreamConnection(
        channel: channel, peer: .loopback(port: 50_000), framing: .webSocket, at: HostTime(nanoseconds: 0))
    }

    deinit { _ = try? channel.finish(acceptAlreadyClosed: true) }

    /// A view with these values comes, as if it had been read.
    func read(_ events: [Event], tap: Int = 1, asker: QueryView.Asker = .player) {
      hear([
        .begins(tap: tap, asker, player: PlayerName("ann"), edge.room), .told(tap: tap, events), .complete(tap: tap),
      ])
    }

    func hear(_ news: [QueryNews]) {
      #expect(desk.hear(news))
      loop.run()
    }

    func happens(_ event: Event, origin: Origin = .none, setting: Setting? = nil) {
      hear([.event(taps: [1], event, origin: origin, setting: setting)])
    }

    func open(tap: Int = 1, origin: UInt64 = 7) {
      desk.opened(connection)
      loop.run()
      hear([.placed(connection, origin: Origin(number: origin), tap: tap)])
    }

    func say(_ text: String) {
      desk.received(Array(text.utf8), from: connection)
      loop.run()
    }

    func listen(_ path: String) { say(#"{"COMMAND":"LISTEN","DATA":"\#(path)"}"#) }

    func pass(milliseconds: Int64) { loop.advanceTime(by: .milliseconds(milliseconds)) }

    /// The messages and the texts that were sent since the last look.
    func sent() throws -> (messages: [OSCMessage], texts: [String]) {
      channel.embeddedEventLoop.run()
      var bytes: [UInt8] = []
      while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += Array(buffer.readableBytesView) }
      var (messages, texts): ([OSCMessage], [String]) = ([], [])
      var rest = bytes[...]
      while rest.count >= 2 {
        let opcode = rest.removeFirst() & 0x0f
        var count = Int(rest.removeFirst())
        if count == 126 { count = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst()) }
        let payload = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
        if opcode == 1 { texts.append(String(decoding: payload, as: UTF8.self)) }
        guard opcode == 2 else { continue }
        var packet = OSCPacket()
        payload.withUnsafeBytes { try? packet.decode($0, limit: 65_536) }
        messages += packet.elements.map(\.message)
      }
      return (messages, texts)
    }
  }

  private static func gain(_ value: Float) -> Event { .value(.gain, .float(value)) }

  @Test("LISTEN tells the value at once, and each change")
  func listen() throws {
    let rig = try Rig()
    rig.read([Self.gain(-6), .value(.mute, .bool(false))])
    rig.open()
    #expect(rig.orders.followed == 1 && rig.orders.heard[1] == true)
    rig.listen("/gain")
    #expect(try rig.sent().messages == [OSCMessage("/gain", .float(-6))])
    rig.pass(milliseconds: 40)
    rig.happens(Self.gain(-3))
    #expect(try rig.sent().messages == [OSCMessage("/gain", .float(-3))])
    rig.pass(milliseconds: 40)
    rig.happens(.value(.mute, .bool(true)))
    #expect(try rig.sent().messages.isEmpty)
  }

  @Test("of changes that come faster than 30 times a second the newest is told")
  func thinned() throws {
    let rig = try Rig()
    rig.read([Self.gain(-6)])
    rig.open()
    rig.listen("/gain")
    _ = try rig.sent()
    for value in 1...20 { rig.happens(Self.gain(Float(-value))) }
    #expect(try rig.sent().messages.isEmpty)
    rig.pass(milliseconds: 34)
    #expect(try rig.sent().messages == [OSCMessage("/gain", .float(-20))])
  }

  @Test("a value that was not told a moment ago does not wait for others, but for eight of them")
  func toldEarly() throws {
    let rig = try Rig()
    let muted = Event.value(.mute, .bool(false))
    rig.read([Self.gain(-6), muted])
    rig.open()
    rig.listen("/")
    _ = try rig.sent()
    rig.pass(milliseconds: 40)
    rig.happens(.value(.mute, .bool(true)))
    rig.pass(milliseconds: 10)
    rig.happens(Self.gain(-5))
    #expect(try rig.sent().messages.map(\.address) == ["/mute", "/gain"])
    // The next values of both come at the pace.
    for value in 1...4 { rig.happens(Self.gain(Float(-value))) }
    rig.happens(muted)
    #expect(try rig.sent().messages.isEmpty)
    rig.pass(milliseconds: 24)
    #expect(try rig.sent().messages.count == 2)
    for pad in (1...12).compactMap({ Pad($0) }) { rig.happens(.value(.pad(.gain, pad), .float(-3))) }
    #expect(try rig.sent().messages.count == 8)
    rig.pass(milliseconds: 34)
    #expect(try rig.sent().messages.count == 4)
  }

  @Test("a light, which the room tells 30 times a second at most, is not thinned again")
  func light() throws {
    let rig = try Rig()
    let light = Setting.light(.loop(.record))
    rig.read([.value(light, .float(0)), Self.gain(-6)])
    rig.open()
    rig.listen("/")
    _ = try rig.sent()
    rig.happens(Self.gain(-3))
    rig.happens(.value(light, .float(0.5)))
    rig.happens(.value(light, .float(1)))
    let told = try rig.sent().messages
    #expect(told == [OSCMessage("/loop/record", .float(0.5)), OSCMessage("/loop/record", .float(1))])
    rig.pass(milliseconds: 34)
    #expect(try rig.sent().messages == [OSCMessage("/gain", .float(-3))])
  }

  @Test("an event for several views is told to the clients of all, and not twice to one")
  func severalViews() throws {
    let rig = try Rig()
    for tap in 1...3 { rig.read([Self.gain(-6), .value(.tempo, .float(120))], tap: tap) }
    rig.open(tap: 2)
    rig.listen("/tempo")
    _ = try rig.sent()
    rig.pass(milliseconds: 40)
    rig.hear([
      .event(taps: [1, 2, 3], .value(.tempo, .float(99)), origin: .none, setting: nil)
    ])
    #expect(try rig.sent().messages == [OSCMessage("/tempo", .float(99))])
    for tap in 1...3 {
      let value = rig.desk.scenes[tap]?.view.values["/tempo"]
      #expect(value == [.float(99)], "view \(tap)")
    }
  }

  @Test("a branch holds all that is below it, and IGNORE ends it")
  func branch() throws {
    let rig = try Rig()
    let values = [Self.gain(-6), .value(.mute, .bool(false)), .value(.tempo, .float(120))]
    rig.read(values)
    rig.open()
    rig.listen("/")
    #expect(Set(try rig.sent().messages.map(\.address)) == ["/gain", "/mute", "/tempo"])
    rig.say(#"{"COMMAND":"IGNORE","DATA":"/"}"#)
    rig.pass(milliseconds: 40)
    rig.happens(Self.gain(-3))
    #expect(try rig.sent().messages.isEmpty)
  }

  @Test("a control that was moved on the connection itself is not echoed there")
  func echo() throws {
    let rig = try Rig()
    rig.read([Self.gain(-6)])
    rig.open(origin: 7)
    rig.listen("/gain")
    _ = try rig.sent()
    rig.pass(milliseconds: 40)
    rig.happens(Self.gain(-3), origin: Origin(number: 7), setting: .gain)
    rig.pass(milliseconds: 40)
    #expect(try rig.sent().messages.isEmpty)
    rig.happens(Self.gain(-2), origin: Origin(number: 8), setting: .gain)
    #expect(try rig.sent().messages.count == 1)
  }

  @Test("hits on several pads at once are all told")
  func hits() throws {
    let rig = try Rig()
    rig.read([Self.gain(-6)])
    rig.open()
    rig.listen("/")
    _ = try rig.sent()
    rig.pass(milliseconds: 40)
    let ann = try #require(PlayerName("ann"))
    rig.hear(
      (1...4).compactMap { Pad($0) }.map {
        .event(
          taps: [1], .hit(player: ann, pad: $0, velocity: 1, bar: 1, beat: 1), origin: .none,
          setting: nil)
      })
    #expect(try rig.sent().messages.count { $0.address == "/hit" } == 4)
  }

  @Test("a text that is no command is answered with the reason, and counted")
  func faults() throws {
    let rig = try Rig()
    rig.read([Self.gain(-6)])
    rig.open()
    for text in ["hello", "{", #"{"COMMAND":"PLAY"}"#, #"{"COMMAND":"LISTEN","DATA":"/nothing/here"}"#] {
      rig.say(text)
      let told = try rig.sent().texts
      #expect(told.count == 1 && told[0].hasPrefix(#"{"COMMAND":"ERROR""#), "\(text): \(told)")
    }
    #expect(rig.counters.refused.load(ordering: .relaxed) == 4)
  }

  @Test("commands that come before the view is known are carried out then")
  func early() throws {
    let rig = try Rig()
    rig.desk.opened(rig.connection)
    rig.loop.run()
    rig.listen("/gain")
    rig.hear([.begins(tap: 1, .player, player: PlayerName("ann"), rig.edge.room)])
    rig.hear([.placed(rig.connection, origin: Origin(number: 7), tap: 1)])
    #expect(try rig.sent().messages.isEmpty)
    rig.hear([.told(tap: 1, [Self.gain(-6)]), .complete(tap: 1)])
    #expect(try rig.sent().messages == [OSCMessage("/gain", .float(-6))])
  }

  @Test("LISTEN brings so many values at once, and then as time passes; changes come all the same")
  func tooManyValues() throws {
    let rig = try Rig()
    rig.read([Self.gain(-6)])
    rig.open()
    rig.listen("/gain")
    let listener = try #require(rig.desk.listeners.values.first?.listener)
    listener.charge(values: QueryListener.valuesAtOnce)
    _ = try rig.sent()
    rig.listen("/gain")
    #expect(try rig.sent().texts.count == 1)
    rig.happens(Self.gain(-3))
    rig.pass(milliseconds: 1_000)
    rig.listen("/gain")
    let told = try rig.sent()
    #expect(told.messages == Array(repeating: OSCMessage("/gain", .float(-3)), count: 2))
    #expect(told.texts.isEmpty)
  }

  @Test("paths are limited in number and length")
  func paths() throws {
    let rig = try Rig()
    let listener = QueryListener(rig.connection, at: rig.loop.now)
    for path in 0..<QueryListener.mostPaths { #expect(listener.listen(to: "/\(path)")) }
    #expect(!listener.listen(to: "/more"))
    #expect(listener.listen(to: "/0"))
    #expect(listener.covers("/0/a/b") && !listener.covers("/00"))
    rig.read([Self.gain(-6)])
    rig.open()
    rig.listen("/" + String(repeating: "x", count: 2_000))
    #expect(try rig.sent().texts.count == 1)
  }

  @Test("a player who comes is told as paths that were added, and one who leaves as removed")
  func nodes() throws {
    let rig = try Rig()
    let bob = try #require(PlayerName("bob"))
    rig.read([Self.gain(-6)])
    rig.open()
    rig.pass(milliseconds: 200)
    rig.happens(.value(.channelGain(bob), .float(0)))
    rig.pass(milliseconds: 200)
    #expect(rig.orders.read == [1])
    rig.read([Self.gain(-6), .value(.channelGain(bob), .float(0))])
    let came = try rig.sent().texts
    #expect(came.contains(#"{"COMMAND":"PATH_ADDED","DATA":"/player/bob"}"#), "\(came)")
    #expect(came.contains { $0.hasPrefix(#"{"COMMAND":"PATH_CHANGED""#) }, "\(came)")
    rig.pass(milliseconds: 200)
    rig.happens(.playerGone(bob))
    rig.pass(milliseconds: 200)
    #expect(rig.orders.read == [1, 1])
    rig.read([Self.gain(-6)])
    let left = try rig.sent().texts
    #expect(left.contains(#"{"COMMAND":"PATH_REMOVED","DATA":"/player/bob"}"#), "\(left)")
  }

  @Test("a client whose connection plays somebody else now is told what that changes")
  func moves() throws {
    let rig = try Rig()
    rig.read([.value(.tempo, .float(120))], asker: .anybody)
    rig.open()
    rig.listen("/")
    #expect(try rig.sent().messages.map(\.address) == ["/tempo"])
    rig.hear([
      .begins(tap: 2, .player, player: PlayerName("ann"), rig.edge.room),
      .placed(rig.connection, origin: Origin(number: 7), tap: 2),
    ])
    #expect(rig.orders.heard == [1: false, 2: true])
    rig.pass(milliseconds: 40)
    rig.hear([.told(tap: 2, [.value(.tempo, .float(120)), Self.gain(-6)]), .complete(tap: 2)])
    let told = try rig.sent()
    #expect(told.messages == [OSCMessage("/gain", .float(-6))])
    #expect(told.texts.contains { $0.hasPrefix(#"{"COMMAND":"PATH_CHANGED""#) })
  }

  @Test("a value that is told and cannot be read makes the view be read once, and not again")
  func sought() throws {
    let rig = try Rig()
    rig.read([Self.gain(-6)])
    rig.open()
    for round in 0..<3 {
      rig.pass(milliseconds: 200)
      rig.happens(.value(.mute, .bool(round == 1)))
      rig.pass(milliseconds: 200)
      if rig.orders.read.count == round + 1 { rig.read([Self.gain(-6)]) }
    }
    #expect(rig.orders.read == [1])
  }

  @Test("what a slow reader does not take waits, and newer values replace it")
  func slowReader() throws {
    let rig = try Rig()
    rig.read([Self.gain(-6)])
    rig.open()
    rig.listen("/gain")
    _ = try rig.sent()
    // The connection's room fills up.
    rig.holder.isHolding = true
    while rig.connection.put([UInt8](repeating: 1, count: 60_000)) {}
    rig.connection.flush()
    for value in 1...100 {
      rig.pass(milliseconds: 40)
      rig.happens(Self.gain(Float(-value) / 10))
    }
    #expect(rig.connection.isCrowded)
    #expect(try rig.sent().messages.isEmpty)
    rig.holder.release()
    rig.pass(milliseconds: 100)
    #expect(try rig.sent().messages == [OSCMessage("/gain", .float(-10))])
  }

  @Test("a question waits for its view; without one, or beyond the limit, it has no answer")
  func questions() throws {
    let rig = try Rig()
    let answers = Mutex<[QueryAnswer?]>([])
    func ask(_ path: String) {
      rig.desk.answer(nil, .host(nil), path: path, wish: .attribute(.value)) { answer in
        answers.withLock { $0.append(answer) }
      }
      rig.loop.run()
    }
    ask("/gain")
    #expect(rig.orders.found == [1])
    rig.hear([
      .begins(tap: 1, .anybody, player: nil, rig.edge.room), .found(question: 1, tap: 1),
      .told(tap: 1, [Self.gain(-6)]),
    ])
    #expect(answers.withLock { $0.isEmpty })
    rig.hear([.complete(tap: 1)])
    #expect(answers.withLock { $0.first??.status } == .found)
    ask("/gain")
    rig.hear([.found(question: 2, tap: nil)])
    #expect(answers.withLock { $0.count == 2 && $0[1] == nil })
    for _ in 0...QueryDesk.mostQuestions { ask("/gain") }
    #expect(answers.withLock { $0.count == 3 && $0[2] == nil })
  }

  @Test("a question about a view in which something came is not waited for, unless that happens all the time")
  func readAgain() throws {
    let rig = try Rig()
    rig.read([Self.gain(-6)])
    let answered = Mutex(0)
    func ask() {
      rig.desk.answer(nil, .host(nil), path: "/", wish: .node) { _ in answered.withLock { $0 += 1 } }
      rig.loop.run()
      rig.hear([.found(question: rig.orders.found.last ?? 0, tap: 1)])
    }
    for round in 1...5 {
      rig.happens(.value(.lock, .text("none")))
      ask()
      #expect(rig.orders.read.count == round)
      rig.read([Self.gain(-6)])
      #expect(answered.withLock { $0 } == round)
    }
    rig.happens(.value(.lock, .text("none")))
    ask()
    #expect(rig.orders.read.count == 5)
    rig.pass(milliseconds: 100)
    #expect(rig.orders.read.count == 6)
    rig.read([Self.gain(-6)])
    #expect(answered.withLock { $0 } == 6)
  }

  @Test("a view that nobody uses is closed, and one that ended is asked for again")
  func unused() throws {
    let rig = try Rig()
    rig.read([Self.gain(-6)])
    rig.open()
    rig.desk.closed(rig.connection)
    rig.loop.run()
    #expect(rig.orders.forgotten == 1 && rig.orders.heard[1] == false)
    rig.happens(Self.gain(-5))
    rig.pass(milliseconds: 25_000)
    #expect(rig.orders.closed == [1])
    rig.desk.answer(nil, .host(nil), path: "/", wish: .node) { _ in }
    rig.loop.run()
    rig.hear([.found(question: 1, tap: 1)])
    #expect(rig.orders.found == [1, 2])
  }
}
