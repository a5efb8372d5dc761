import JamCore
import JamNet
import Testing

@testable import JamStream

@Suite struct STUNTests {
  static let password = "VOkJxbRl1RmTxUk/WvJxBt"

  /// RFC 5769 §2.1.
  static let request = hex(
    """
    00010058 2112a442 b7e7a701 bc34d686 fa87dfae 80220010 5354554e 20746573 7420636c 69656e74 00240004 6e0001ff
    80290008 932ff9b1 51263b36 00060009 6576746a 3a683676 59202020 00080014 9aeaa70c bfd8cb56 781ef2b5 b2d3f249 c1b571a2
    80280004 e57a3bcf
    """)
  /// RFC 5769 §2.2.
  static let response4 = hex(
    """
    0101003c 2112a442 b7e7a701 bc34d686 fa87dfae 8022000b 74657374 20766563 746f7220 00200008 0001a147 e112a643
    00080014 2b91f599 fd9e90c3 8c7489f9 2af9ba53 f06be7d7 80280004 c07d4c96
    """)
  /// RFC 5769 §2.3.
  static let response6 = hex(
    """
    01010048 2112a442 b7e7a701 bc34d686 fa87dfae 8022000b 74657374 20766563 746f7220 00200014 0002a147 0113a9fa a5d3f179
    bc25f4b5 bed2b9d9 00080014 a382954e 4be67bf1 1784c97c 8292c275 bfe3ed41 80280004 c8fb0b4c
    """)

  static func read(_ bytes: [UInt8]) -> STUNMessage? { bytes.withUnsafeBytes { STUNMessage($0) } }

  @Test("the sample request of RFC 5769 is read, and proven by its password alone")
  func sampleRequest() throws {
    let message = try #require(Self.read(Self.request))
    #expect(message.kind == .request)
    #expect(message[STUNMessage.Attribute.username] == Array("evtj:h6vY".utf8))
    #expect(message[STUNMessage.Attribute.priority] == [0x6e, 0, 1, 0xff])
    #expect(message.isProven(by: Self.password))
    #expect(!message.isProven(by: Self.password + "x"))
    #expect(message.unknownAttributes.isEmpty)
  }

  @Test("the sample responses of RFC 5769: addresses of both families, masked")
  func sampleResponses() throws {
    let first = try #require(Self.read(Self.response4))
    #expect(first.isProven(by: Self.password))
    let address4 = SocketAddress.ipv4(192, 0, 2, 1, port: 32_853)
    #expect(
      first[STUNMessage.Attribute.xorMappedAddress]
        == STUNMessage.xorAddress(address4, transaction: first.transaction))
    let second = try #require(Self.read(Self.response6))
    #expect(second.isProven(by: Self.password))
    let address6 = try #require(SocketAddress(host: "2001:db8:1234:5678:11:2233:4455:6677")).with(port: 32_853)
    #expect(
      second[STUNMessage.Attribute.xorMappedAddress]
        == STUNMessage.xorAddress(address6, transaction: second.transaction))
  }

  @Test("what is written is read again, and proven")
  func roundTrip() throws {
    let bytes = STUNMessage.write(
      .success, transaction: Array(1...12), [(STUNMessage.Attribute.username, [1, 2, 3])], password: "secret")
    let message = try #require(Self.read(bytes))
    #expect(message.kind == .success)
    #expect(message.transaction == Array(1...12))
    #expect(message[STUNMessage.Attribute.username] == [1, 2, 3])
    #expect(message.isProven(by: "secret"))
  }

  @Test("cut, lengthened, lying and damaged messages are none")
  func malformed() {
    for count in 0..<Self.request.count { #expect(Self.read(Array(Self.request[..<count])) == nil, "\(count)") }
    #expect(Self.read(Self.request + [0, 0, 0, 0]) == nil)
    for i in Self.request.indices {
      var bytes = Self.request
      bytes[i] ^= 0x10
      // The fingerprint covers everything in front of it; of another type it is none, and behind the integrity it counts for nothing.
      if (100...101).contains(i) { continue }
      let message = Self.read(bytes)
      #expect(message == nil || !message!.isProven(by: Self.password), "byte \(i)")
    }
    // Lengths that lie within the message.
    var bytes = Self.request
    bytes[23] = 0xff
    #expect(Self.read(bytes) == nil)
    #expect(
      Self.read(STUNMessage.write(.request, transaction: Array(1...12), [], password: nil))?.isProven(by: "") == false)
  }

  // MARK: ICE

  static let path = NetworkPath(peer: .ipv4(192, 168, 1, 9, port: 4_000), local: .ipv4(192, 168, 1, 1))
  static let own = ICECredentials(ufrag: "ours", password: "a password of ours")

  static func check(
    _ attributes: [(type: UInt16, value: [UInt8])] = [], username: String = "ours:theirs",
    password: String = own.password
  ) -> STUNMessage {
    read(
      STUNMessage.write(
        .request, transaction: Array(1...12),
        [(STUNMessage.Attribute.username, Array(username.utf8)), (STUNMessage.Attribute.priority, [0, 0, 0, 1])]
          + attributes, password: password))!
  }

  static func agent() -> ICELite { ICELite(own: own, peerUfrag: "theirs") }

  @Test("a proven check is answered with its source, proven by the same password")
  func answered() throws {
    var ice = Self.agent()
    let answer = ice.receive(Self.check(), along: Self.path, at: milliseconds(0))
    let message = try #require(answer.flatMap(Self.read))
    #expect(message.kind == .success)
    #expect(message.isProven(by: Self.own.password))
    #expect(
      message[STUNMessage.Attribute.xorMappedAddress]
        == STUNMessage.xorAddress(Self.path.peer, transaction: Array(1...12)))
    #expect(ice.path == Self.path)
    #expect(ice.lastHeard == milliseconds(0))
  }

  @Test("wrong names and passwords get no answer at all")
  func strangers() {
    var ice = Self.agent()
    for check in [
      Self.check(password: "a password of theirs"), Self.check(username: "ours"), Self.check(username: "ours:others"),
      Self.check(username: "theirs:ours"), Self.check(username: ""),
    ] {
      let answer = ice.receive(check, along: Self.path, at: milliseconds(0))
      #expect(answer == nil)
    }
    #expect(ice.path == nil && ice.lastHeard == nil)
  }

  @Test("the first proven source is used until the peer chooses; then only its choice moves it")
  func nomination() {
    var ice = Self.agent()
    let second = NetworkPath(peer: .ipv4(192, 168, 1, 9, port: 4_001), local: .ipv4(192, 168, 1, 1))
    _ = ice.receive(Self.check(), along: Self.path, at: milliseconds(0))
    _ = ice.receive(Self.check(), along: second, at: milliseconds(1))
    #expect(ice.path == Self.path && !ice.isNominated)
    _ = ice.receive(Self.check([(STUNMessage.Attribute.useCandidate, [])]), along: second, at: milliseconds(2))
    #expect(ice.path == second && ice.isNominated)
    _ = ice.receive(Self.check(), along: Self.path, at: milliseconds(3))
    #expect(ice.path == second)
    _ = ice.receive(Self.check([(STUNMessage.Attribute.useCandidate, [])]), along: Self.path, at: milliseconds(4))
    #expect(ice.path == Self.path)
  }

  @Test("a peer that thinks it is controlled, and attributes that must be understood, are refused by code")
  func refused() throws {
    for (type, code) in [(STUNMessage.Attribute.iceControlled, 487), (0x7fff as UInt16, 420)] {
      var ice = Self.agent()
      let check = Self.check([(type, [UInt8](repeating: 1, count: 8))])
      let bytes = ice.receive(check, along: Self.path, at: milliseconds(0))
      let answer = try #require(bytes.flatMap(Self.read))
      #expect(answer.kind == .failure)
      let error = try #require(answer[STUNMessage.Attribute.errorCode])
      #expect(Int(error[2]) * 100 + Int(error[3]) == code)
      #expect(answer[STUNMessage.Attribute.unknown] == (code == 420 ? [0x7f, 0xff] : nil))
      #expect(ice.path == nil)
    }
  }
}
