import JamCore
import JamNet
import Synchronization
import TestSupport
import Testing

@testable import JamBonjour

/// Controllers that announce themselves, as a browser finds them.
@Suite struct ControllerBrowserTests {
  private static let link = MDNSLink(interface: 2, isIPv6: false)
  private static let tablet = SocketAddress.ipv4(192, 168, 1, 30)
  private static let type = DNSName("_osc._udp.local")!
  private static let host = DNSName("tablet.local")!

  /// A browser on one network, on a clock that the test steps.
  private struct Rig {
    var browser = ControllerBrowser()
    var now = HostTime(nanoseconds: 1_000_000_000)

    init() { join() }

    mutating func join() {
      browser.use(
        [
          MDNSLinkShape(
            link: ControllerBrowserTests.link,
            interfaces: [
              NetworkInterface(name: "eth0", address: .ipv4(192, 168, 1, 2), prefixLength: 24)
            ])
        ], at: now)
    }

    var names: [String] { browser.controllers.map(\.name) }

    /// The questions that are sent while so much time passes.
    mutating func pass(seconds: Double) -> [DNSQuestion] {
      var questions: [DNSQuestion] = []
      let end = now.advanced(byMilliseconds: seconds * 1_000)
      var steps = 0
      while let due = browser.nextDue, due <= end, steps < 10_000 {
        now = max(now, due)
        browser.advance(to: now)
        questions += browser.takeOutgoing().flatMap(\.message.questions)
        steps += 1
      }
      #expect(steps < 10_000, "it does not spin")
      now = end
      browser.advance(to: now)
      return questions + browser.takeOutgoing().flatMap(\.message.questions)
    }

    mutating func take(
      _ records: [DNSRecord], from peer: SocketAddress = ControllerBrowserTests.tablet.with(port: 5_353),
      isResponse: Bool = true
    ) {
      var message = DNSMessage(isResponse: isResponse)
      message.answers = records
      browser.receive(message, from: MDNSSource(link: ControllerBrowserTests.link, peer: peer), at: now)
    }
  }

  private static func instance(_ name: String) -> DNSName { type.prepending(name)! }
  private static func pointer(_ name: String, lifetime: UInt32 = 4_500) -> DNSRecord {
    DNSRecord(type, .pointer(instance(name)), lifetime: lifetime, isUnique: false)
  }
  private static func service(_ name: String, port: UInt16 = 9_000, host: DNSName = host) -> DNSRecord {
    DNSRecord(
      instance(name), .service(DNSService(port: port, host: host)), lifetime: 120, isUnique: true)
  }
  private static func text(_ name: String, _ pairs: KeyValuePairs<String, String> = [:]) -> DNSRecord {
    DNSRecord(instance(name), .text(DNSText(pairs)), lifetime: 4_500, isUnique: true)
  }
  private static func address(_ address: SocketAddress, of host: DNSName = host) -> DNSRecord {
    DNSRecord(host, .address(address), lifetime: 120, isUnique: true)
  }
  private static func all(_ name: String) -> [DNSRecord] {
    [pointer(name), service(name), text(name), address(tablet)]
  }

  @Test("it asks at once, less and less often, and a controller that answers has its port and address")
  func finds() {
    var rig = Rig()
    #expect(rig.pass(seconds: 0) == [DNSQuestion(Self.type, .pointer)])
    #expect((2...6).contains(rig.pass(seconds: 60).count))
    rig.take(Self.all("Ann's iPad"))
    #expect(
      rig.browser.controllers == [
        FoundController(name: "Ann's iPad", addresses: [Self.tablet.with(port: 9_000)])
      ])
  }

  @Test("what an announcement leaves out is asked for, a few times") func resolves() {
    var rig = Rig()
    rig.take([Self.pointer("iPad")])
    #expect(rig.names == [])
    let asked = rig.pass(seconds: 0)
    #expect(asked.contains(DNSQuestion(Self.instance("iPad"), .service)))
    #expect(asked.contains(DNSQuestion(Self.instance("iPad"), .text)))
    rig.take([Self.service("iPad"), Self.text("iPad")])
    #expect(rig.pass(seconds: 2).contains(DNSQuestion(Self.host, .a)))
    rig.take([Self.address(Self.tablet)])
    #expect(rig.names == ["iPad"])
    var silent = Rig()
    silent.take([Self.pointer("iPad")])
    let count = silent.pass(seconds: 600).count { $0.type == .service }
    #expect(count == FoundService.mostTries)
  }

  @Test("a goodbye removes it after a second, and silence at the end of its lifetime, after it was asked for again")
  func ends() {
    var rig = Rig()
    rig.take(Self.all("iPad"))
    rig.take([Self.pointer("iPad", lifetime: 0)])
    #expect(rig.names == ["iPad"])
    _ = rig.pass(seconds: 1.1)
    #expect(rig.names == [])
    rig.take(Self.all("iPad"))
    let asked = rig.pass(seconds: 119)
    #expect(asked.count { $0 == DNSQuestion(Self.instance("iPad"), .service) } == 3)
    #expect(asked.count { $0 == DNSQuestion(Self.host, .a) } == 3)
    #expect(rig.names == ["iPad"])
    _ = rig.pass(seconds: 2)
    #expect(rig.names == [])
  }

  @Test("the same links again are no reason to ask again") func sameLinks() {
    var rig = Rig()
    _ = rig.pass(seconds: 20)
    rig.join()
    #expect(rig.pass(seconds: 1).isEmpty)
  }

  @Test("a new address replaces the old one") func moves() {
    var rig = Rig()
    rig.take(Self.all("iPad"))
    _ = rig.pass(seconds: 5)
    rig.take([Self.address(.ipv4(192, 168, 1, 31))])
    #expect(rig.browser.controllers.first?.addresses == [.ipv4(192, 168, 1, 31, port: 9_000)])
  }

  @Test("IPv4 comes first, and an IPv6 address of the link has the link's scope") func families() {
    var rig = Rig()
    let local = SocketAddress(host: "fe80::7")!
    rig.take([Self.address(local)] + Self.all("iPad") + [Self.address(local)])
    #expect(
      rig.browser.controllers.first?.addresses == [
        Self.tablet.with(port: 9_000), .ipv6(local.bytes, port: 9_000, scope: 2),
      ])
  }

  @Test("our own services, other networks, other ports and questions are left out") func leftOut() {
    var rig = Rig()
    let records = [Self.pointer("us"), Self.service("us"), Self.address(Self.tablet)]
    rig.take(records + [Self.text("us", ["txtvers": "1", "room": "main", "path": "/"])])
    #expect(rig.names == [])
    rig.take(Self.all("far"), from: .ipv4(10, 0, 0, 1, port: 5_353))
    rig.take(Self.all("plain"), from: Self.tablet.with(port: 40_000))
    rig.take(Self.all("asks"), isResponse: false)
    #expect(rig.names == [])
    // It says that it is in another network.
    let elsewhere = DNSName("elsewhere.local")!
    rig.take([
      Self.pointer("victim"), Self.service("victim", host: elsewhere), Self.text("victim"),
      Self.address(.ipv4(8, 8, 8, 8), of: elsewhere),
    ])
    #expect(rig.names == [])
    rig.take([Self.pointer("none"), Self.service("none", port: 0), Self.text("none"), Self.address(Self.tablet)])
    #expect(rig.names == [])
  }

  @Test("names have no control characters, and no more is remembered than 64 controllers") func bounds() {
    var rig = Rig()
    rig.take(Self.all("a\u{1b}[31m\n\u{202e}b"))
    #expect(rig.names == ["a [31m b"])
    for number in 0..<1_000 { rig.take(Self.all("pad \(number)")) }
    #expect(rig.browser.controllers.count == FoundController.most)
    #expect(rig.browser.instances.count == FoundController.most && rig.browser.hosts.count <= FoundController.most)
    for last in 0..<200 as Range<UInt8> { rig.take([Self.address(.ipv4(192, 168, 1, last))]) }
    #expect(rig.browser.hosts.values.allSatisfy { $0.addresses.count <= FoundHost.mostAddresses })
  }

  @Test("whatever is announced, it asks little and forgets in the end") func anything() {
    var dice = SplitMix(seed: 47)
    var rig = Rig()
    var asked = 0
    for _ in 0..<2_000 {
      let names = ["a", "b", "c", "d.e", "\u{0}"]
      let name = names[Int(dice.next() % 5)]
      var record = [Self.pointer(name), Self.service(name), Self.text(name), Self.address(Self.tablet)][
        Int(dice.next() % 4)]
      record.lifetime = UInt32(truncatingIfNeeded: dice.next()) % 200
      rig.take([record])
      asked += rig.pass(seconds: Double(dice.next() % 3)).count
    }
    #expect(asked < 12_000)
    _ = rig.pass(seconds: 100_000)
    #expect(rig.names == [] && rig.browser.instances.isEmpty && rig.browser.hosts.isEmpty)
  }
}
