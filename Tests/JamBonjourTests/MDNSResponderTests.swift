import JamCore
import JamNet
import TestSupport
import Testing

@testable import JamBonjour

@Suite("The responder of multicast DNS") struct MDNSResponderTests {
  let type = DNSName("_osc._udp.local") ?? .root

  func instance(_ label: String = "Jam") -> DNSName { type.prepending(label) ?? .root }

  /// One responder whose names are its own.
  func settled() -> MDNSNet {
    var net = MDNSNet([MDNSNet.announcement()])
    net.pass(milliseconds: 5_000)
    net.forget()
    return net
  }

  @Test("it asks three times for its names, then tells them twice") func start() throws {
    var net = MDNSNet([MDNSNet.announcement()])
    net.pass(milliseconds: 5_000)
    let probes = net.heard.filter { !$0.outgoing.message.isResponse }
    #expect(probes.count == 3)
    let probe = try #require(probes.first?.outgoing.message)
    #expect(Set(probe.questions.map(\.name)).count == 3)
    #expect(probe.questions.allSatisfy { $0.type == .any })
    #expect(probe.authorities.count == 5)
    #expect(probes[2].at.milliseconds(since: probes[1].at) >= 250)
    let told = net.heard.filter { $0.outgoing.message.isResponse }
    #expect(told.count == 2)
    #expect(told[0].at.milliseconds(since: probes[2].at) >= 250)
    #expect(told[1].at.milliseconds(since: told[0].at) >= 1_000)
    // Within a second of its beginning, so that it is found within two of the server's.
    #expect(told[0].at.milliseconds(since: HostTime(nanoseconds: 1_000_000_000)) <= 1_050)
    let records = told[0].outgoing.message.answers
    #expect(
      records.contains(DNSRecord(type, .pointer(instance()), lifetime: 4_500, isUnique: false)))
    #expect(records.contains { $0.data == .address(.ipv4(192, 168, 1, 10)) && $0.name == DNSName("box.local") })
    #expect(net.responders[0].announcedName == "Jam")
    #expect(net.responders[0].nextDue == nil)
  }

  @Test("a question for the type brings the instance, with what is asked for next") func answer() throws {
    var net = settled()
    net.ask("_osc._udp.local", .pointer)
    #expect(net.heard.isEmpty, "several hosts may know instances: it waits a little")
    net.pass(milliseconds: 150)
    let message = try #require(net.heard.first?.outgoing.message)
    #expect(net.heard.count == 1 && net.heard[0].outgoing.peer == nil)
    #expect(message.answers.map(\.data) == [.pointer(instance())])
    #expect(Set(message.additionals.map(\.type)) == [.service, .text, .a])
  }

  @Test("a question in another case of letters, for any type, and for all types of services") func others() {
    var net = settled()
    net.ask("JAM._OSC._udp.Local", .any)
    #expect(Set(net.answers.map(\.type)) == [.service, .text], "no other host answers: it does not wait")
    net.forget()
    net.ask("_services._dns-sd._udp.local", .pointer)
    net.pass(milliseconds: 150)
    #expect(Set(net.answers.map(\.data)) == [.pointer(type), .pointer(DNSName("_http._tcp.local") ?? .root)])
    net.forget()
    net.ask("other.local", .a)
    net.ask("_midi._udp.local", .pointer)
    net.pass(milliseconds: 2_000)
    #expect(net.heard.isEmpty)
  }

  @Test("what an asker knows is not told, unless it will soon forget it") func known() {
    var net = settled()
    net.ask(
      "_osc._udp.local", .pointer,
      known: [DNSRecord(type, .pointer(instance()), lifetime: 2_250, isUnique: false)])
    net.pass(milliseconds: 2_000)
    #expect(net.heard.isEmpty)
    net.ask(
      "_osc._udp.local", .pointer,
      known: [DNSRecord(type, .pointer(instance()), lifetime: 2_249, isUnique: false)])
    net.pass(milliseconds: 2_000)
    #expect(net.answers.count == 1)
  }

  @Test("an asker whose known answers do not fit is waited for") func knownLater() {
    var net = settled()
    var question = DNSMessage(isResponse: false)
    question.isTruncated = true
    question.questions = [DNSQuestion(type, .pointer)]
    net.say(question)
    net.pass(milliseconds: 300)
    #expect(net.heard.isEmpty)
    var more = DNSMessage(isResponse: false)
    more.answers = [DNSRecord(type, .pointer(instance()), lifetime: 4_000, isUnique: false)]
    // Another host's knowledge takes nothing away.
    net.say(more, from: .ipv4(192, 168, 1, 201, port: 5_353))
    net.say(more)
    net.pass(milliseconds: 2_000)
    #expect(net.heard.isEmpty)
    net.say(question)
    net.pass(milliseconds: 2_000)
    #expect(net.answers.count == 1)
  }

  @Test("a record goes to all once a second at most, however often it is asked for") func rate() {
    var net = settled()
    for _ in 0..<300 {
      net.ask("_osc._udp.local", .pointer)
      net.ask("box.local", .a)
      net.pass(milliseconds: 10)
    }
    var last: [DNSRecord: HostTime] = [:]
    for (record, time) in net.told {
      if let before = last[record] { #expect(time.milliseconds(since: before) >= 1_000) }
      last[record] = time
    }
    #expect(net.heard.count <= 10)
  }

  @Test("an asker alone is answered alone while all know the records") func unicast() {
    var net = settled()
    let peer = SocketAddress.ipv4(192, 168, 1, 200, port: 5_353)
    net.ask("_osc._udp.local", .pointer, wantsUnicast: true, from: peer)
    #expect(net.heard.map(\.outgoing.peer) == [peer])
    net.forget()
    // A quarter of its lifetime later all may need it.
    net.pass(milliseconds: 1_200_000)
    net.ask("_osc._udp.local", .pointer, wantsUnicast: true, from: peer)
    net.pass(milliseconds: 200)
    #expect(net.heard.map(\.outgoing.peer) == [nil])
  }

  @Test("a program of the same machine is answered by multicast: the port is shared") func sameMachine() {
    var net = settled()
    net.ask(
      "_osc._udp.local", .pointer, wantsUnicast: true, from: MDNSNet.address(0).with(port: 5_353))
    net.pass(milliseconds: 1_100)
    #expect(net.heard.map(\.outgoing.peer) == [nil])
  }

  @Test("a plain resolver gets its number and question back, short lifetimes, and at most 512 bytes")
  func plain() throws {
    var net = settled()
    let peer = SocketAddress.ipv4(192, 168, 1, 200, port: 40_000)
    net.ask("_osc._udp.local", .pointer, from: peer)
    let answer = try #require(net.heard.first?.outgoing)
    #expect(net.heard.count == 1 && answer.peer == peer)
    #expect(answer.message.id == 77)
    #expect(answer.message.questions == [DNSQuestion(type, .pointer)])
    let records = answer.message.answers + answer.message.additionals
    #expect(records.allSatisfy { $0.lifetime <= 10 && !$0.isUnique })
    #expect(answer.message.encoded().count <= 512)
  }

  @Test("answers to single askers are bounded, and fill up again") func credit() {
    var net = settled()
    for host in 20..<220 as Range<UInt8> { net.ask("box.local", .a, from: .ipv4(192, 168, 1, host, port: 40_000)) }
    #expect(net.heard.count == 30)
    #expect(net.responders[0].counts.refused == 170)
    net.forget()
    net.pass(milliseconds: 1_000)
    for host in 20..<220 as Range<UInt8> { net.ask("box.local", .a, from: .ipv4(192, 168, 1, host, port: 40_000)) }
    #expect(net.heard.count == 10)
  }

  @Test("one address gets 1,500 bytes alone at once, then 500 a second, and takes nothing from others")
  func shares() {
    var net = settled()
    func bytes() -> Int { net.heard.reduce(0) { $0 + $1.outgoing.message.encoded().count } }
    let victim = SocketAddress.ipv4(192, 168, 1, 200, port: 40_000)
    for port in 0..<100 as Range<UInt16> {
      net.ask("_osc._udp.local", .pointer, from: victim.with(port: 40_000 + port))
    }
    #expect(bytes() <= 1_500 && bytes() > 1_000)
    #expect(net.heard.first?.outgoing.message.additionals.isEmpty == false)
    net.forget()
    net.ask("_osc._udp.local", .pointer, from: .ipv4(192, 168, 1, 201, port: 40_000))
    #expect(net.heard.count == 1 && net.heard.first?.outgoing.message.additionals.isEmpty == false)
    net.forget()
    net.pass(milliseconds: 1_000)
    for _ in 0..<100 { net.ask("_osc._udp.local", .pointer, from: victim) }
    // What was left before was too little for an answer.
    #expect(bytes() <= 600 && bytes() > 200)
  }

  @Test("questions of one address that get no answer take nothing from the credit of all") func flood() {
    var net = settled()
    let loud = SocketAddress.ipv4(192, 168, 1, 200, port: 40_000)
    for _ in 0..<100 {
      for _ in 0..<10 { net.ask("_osc._udp.local", .pointer, from: loud) }
      net.pass(milliseconds: 10)
    }
    // What it has left is gone with a question too many, and it pauses before the next answer.
    #expect(net.heard.count > 3 && net.heard.allSatisfy { $0.at.milliseconds(since: net.heard[0].at) < 100 })
    net.forget()
    for host in 20..<40 as Range<UInt8> { net.ask("box.local", .a, from: .ipv4(192, 168, 1, host, port: 40_000)) }
    #expect(net.heard.count == 20)
  }

  @Test("an address that has little left gets a short answer") func short() throws {
    var net = settled()
    let peer = SocketAddress.ipv4(192, 168, 1, 200, port: 40_000)
    net.responders[0].links[0].shares.charge(bytes: 1_400, to: peer.host, at: net.now)
    net.ask("_osc._udp.local", .pointer, from: peer)
    let answer = try #require(net.heard.first?.outgoing.message)
    #expect(answer.answers.count == 1 && answer.additionals.isEmpty && answer.encoded().count <= 100)
  }

  @Test("the addresses that are remembered are bounded") func addresses() {
    var shares = MDNSShares()
    var now = HostTime(nanoseconds: 1_000_000_000)
    for host in 0..<300 as Range<UInt16> {
      let address = SocketAddress.ipv4(10, 0, UInt8(host >> 8), UInt8(host & 255))
      if shares.left(for: address, at: now) > 0 { shares.charge(bytes: 100, to: address, at: now) }
    }
    #expect(shares.left(for: .ipv4(10, 0, 1, 0), at: now) == 0)
    #expect(shares.left(for: .ipv4(10, 0, 0, 255), at: now) == 1_400)
    now = now.advanced(byMilliseconds: 1_000)
    #expect(shares.left(for: .ipv4(10, 0, 1, 0), at: now) == 1_500)
  }

  @Test("a host of another network gets no answer, and changes nothing") func strangers() {
    var net = settled()
    for peer: SocketAddress in [
      .ipv4(192, 168, 2, 1, port: 5_353), .ipv4(8, 8, 8, 8, port: 40_000), .ipv4(0, 0, 0, 0, port: 5_353),
      .ipv6([0xfe, 0x80], port: 5_353, scope: 2),
    ] {
      net.ask("_osc._udp.local", .pointer, from: peer)
      net.ask("box.local", .a, from: peer, isMulticast: false)
      var theft = DNSMessage(isResponse: true)
      theft.answers = [DNSRecord(instance(), .text(DNSText([:])), lifetime: 100, isUnique: true)]
      net.say(theft, from: peer)
    }
    net.pass(milliseconds: 2_000)
    #expect(net.heard.isEmpty)
    #expect(net.responders[0].counts.strangers == 12)
    #expect(net.responders[0].announcedName == "Jam")
  }

  @Test("a name of ours without records of a type: that is said") func absence() {
    var net = settled()
    net.ask("box.local", .aaaa)
    #expect(net.answers.map(\.data) == [.types(next: DNSName("box.local") ?? .root, [.a])])
  }

  @Test("it says goodbye to its services, and is silent after that") func goodbye() {
    var net = settled()
    net.responders[0].close(at: net.now)
    net.deliver()
    #expect(net.answers.count == 6)
    #expect(net.answers.allSatisfy { $0.lifetime == 0 })
    #expect(Set(net.answers.map(\.type)) == [.pointer, .service, .text])
    net.forget()
    net.ask("_osc._udp.local", .pointer)
    net.pass(milliseconds: 2_000)
    #expect(net.heard.isEmpty)
  }

  @Test("a second server with the name takes another one, and the first one keeps its own") func rename() {
    var both = MDNSNet([MDNSNet.announcement(), MDNSNet.announcement(machine: "other", port: 9_000)])
    both.isAway = [1]
    both.pass(milliseconds: 3_000)
    both.isAway = []
    // The second one begins anew, now that both hear each other.
    both.responders[1].use([], at: both.now)
    both.responders[1].use([MDNSNet.shape(1)], at: both.now)
    both.pass(milliseconds: 5_000)
    #expect(both.responders.map(\.announcedName) == ["Jam", "Jam (2)"])
    both.forget()
    both.ask("_osc._udp.local", .pointer)
    both.pass(milliseconds: 1_200)
    #expect(
      Set(both.answers.filter { $0.type == .pointer }.map(\.data)) == [
        .pointer(instance()), .pointer(instance("Jam (2)")),
      ])
  }

  @Test("two servers that begin together get two names", arguments: 0..<8) func together(seed: Int) {
    var net = MDNSNet([
      MDNSNet.announcement(port: UInt16(8_000 + seed)), MDNSNet.announcement(machine: "other", port: 8_004),
    ])
    net.pass(milliseconds: 10_000)
    // With the same port and text, the records differ by their host.
    #expect(Set(net.responders.compactMap(\.announcedName)) == ["Jam", "Jam (2)"])
  }

  @Test("two machines of one name get two, and tell their own addresses under them") func machines() {
    var net = MDNSNet([MDNSNet.announcement("A"), MDNSNet.announcement("B")])
    net.pass(milliseconds: 10_000)
    #expect(net.responders.map(\.announcedName) == ["A", "B"])
    net.forget()
    net.ask("box.local", .a)
    net.ask("box-2.local", .a)
    net.pass(milliseconds: 1_200)
    #expect(Set(net.answers.map(\.data)) == [.address(MDNSNet.address(0)), .address(MDNSNet.address(1))])
    #expect(net.answers.count == 2)
  }

  @Test("an address of this machine under its name is no conflict, whoever tells it") func ownAddress() {
    var net = settled()
    var message = DNSMessage(isResponse: true)
    message.answers = [
      DNSRecord(DNSName("box.local") ?? .root, .address(MDNSNet.address(0)), lifetime: 60, isUnique: true)
    ]
    net.say(message)
    net.pass(milliseconds: 2_000)
    #expect(net.heard.isEmpty)
    // It is told again where somebody says goodbye to it.
    message.answers[0].lifetime = 0
    net.say(message)
    net.pass(milliseconds: 2_000)
    #expect(net.answers.map(\.data) == [.address(MDNSNet.address(0))])
    #expect(net.answers.allSatisfy { $0.lifetime == 120 })
  }

  @Test("a host that claims every name makes them change slowly") func hostile() {
    var net = settled()
    for _ in 0..<6_000 {
      // Whatever is tried out is claimed.
      for probe in net.heard where !probe.outgoing.message.isResponse {
        var claim = DNSMessage(isResponse: true)
        claim.answers = probe.outgoing.message.questions.map {
          DNSRecord($0.name, .text(DNSText(["mine": "1"])), lifetime: 100, isUnique: true)
        }
        net.forget()
        net.say(claim)
      }
      if net.heard.isEmpty {
        var claim = DNSMessage(isResponse: true)
        claim.answers = [DNSRecord(instance(), .text(DNSText(["mine": "1"])), lifetime: 100, isUnique: true)]
        net.say(claim)
      }
      net.pass(milliseconds: 10)
    }
    // In a minute: 15 at once, and then some each 10 s.
    #expect(net.responders[0].counts.conflicts < 150)
  }

  @Test("a link that comes is told, one that goes is not, and new addresses are told") func links() {
    var net = settled()
    let other = MDNSLink(interface: 3, isIPv6: false)
    let shape = MDNSLinkShape(
      link: other,
      interfaces: [
        NetworkInterface(name: "wlan0", address: .ipv4(10, 0, 0, 5), prefixLength: 8, index: 3, hasMulticast: true)
      ])
    net.responders[0].use([MDNSNet.shape(0), shape], at: net.now)
    net.pass(milliseconds: 5_000)
    #expect(net.heard.allSatisfy { $0.outgoing.link == other } && !net.heard.isEmpty)
    #expect(
      net.answers.filter { $0.type == .a }.allSatisfy { $0.data == .address(.ipv4(10, 0, 0, 5)) },
      "each link hears its own addresses alone")
    net.forget()
    var changed = MDNSNet.shape(0)
    changed.interfaces[0].address = .ipv4(192, 168, 1, 99)
    net.responders[0].use([changed], at: net.now)
    net.pass(milliseconds: 5_000)
    #expect(net.heard.count == 2 && net.heard.allSatisfy { $0.outgoing.link == MDNSNet.link })
    #expect(net.answers.contains { $0.data == .address(.ipv4(192, 168, 1, 99)) && $0.isUnique })
  }

  @Test("services that a link does not reach are not told there") func places() {
    var announcement = MDNSNet.announcement()
    for index in announcement.services.indices { announcement.services[index].place = .loopback(port: 8_000) }
    var net = MDNSNet([announcement])
    net.pass(milliseconds: 5_000)
    net.ask("_osc._udp.local", .pointer)
    net.pass(milliseconds: 5_000)
    #expect(net.heard.isEmpty)
    #expect(net.responders[0].announcedName == nil)
  }

  @Test("messages by chance: no trap, and no more is said than the bounds") func anything() throws {
    var random = RunSeed.numbers()
    var net = settled()
    let names = ["Jam._osc._udp.local", "_osc._udp.local", "box.local", "_services._dns-sd._udp.local", "x"]
    let types: [DNSType] = [.a, .pointer, .text, .service, .any, .nsec, .aaaa]
    for _ in 0..<2_000 {
      func name() -> DNSName { DNSName(names[random.below(names.count)]) ?? .root }
      func record() -> DNSRecord {
        let data: DNSData = [
          .address(.ipv4(192, 168, 1, UInt8(random.below(256)))), .pointer(name()), .text(DNSText(["a": "b"])),
          .service(DNSService(port: 1, host: name())), .other(types[random.below(types.count)], [1]),
        ][random.below(5)]
        return DNSRecord(name(), data, lifetime: UInt32(random.below(3) * 4_000), isUnique: random.below(2) == 0)
      }
      var message = DNSMessage(isResponse: random.below(3) == 0)
      message.isTruncated = random.below(4) == 0
      message.questions = (0..<random.below(4)).map { _ in
        DNSQuestion(name(), types[random.below(types.count)], wantsUnicast: random.below(2) == 0)
      }
      message.answers = (0..<random.below(3)).map { _ in record() }
      message.authorities = (0..<random.below(2)).map { _ in record() }
      net.say(
        message,
        from: .ipv4(192, 168, 1, UInt8(random.below(256)), port: random.below(2) == 0 ? 5_353 : 1_234),
        isMulticast: random.below(4) > 0)
      net.pass(milliseconds: 10 * random.below(20))
    }
    for heard in net.heard { #expect(heard.outgoing.message.encoded().count <= 1_400) }
    // The names are found again when the noise is over.
    net.pass(milliseconds: 30_000)
    #expect(net.responders[0].announcedName != nil)
  }
}
