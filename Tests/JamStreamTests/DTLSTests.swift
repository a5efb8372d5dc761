import Testing

@testable import JamStream

/// Two ends of DTLS that pass each other their datagrams.
@Suite struct DTLSTests {
  final class Pair {
    let server: DTLSConnection
    let client: DTLSConnection
    var events: (server: DTLSConnection.Event?, client: DTLSConnection.Event?)

    init(
      serverProfiles: [SRTPProfile] = SRTPProfile.allCases, clientProfiles: [SRTPProfile] = SRTPProfile.allCases,
      expected: Fingerprint? = nil
    ) throws {
      let contexts = (
        server: try DTLSContext(profiles: serverProfiles), client: try DTLSContext(profiles: clientProfiles)
      )
      server = try DTLSConnection(
        contexts.server, role: .server, peers: [expected ?? contexts.client.fingerprint])
      client = try DTLSConnection(contexts.client, role: .client, peers: [contexts.server.fingerprint])
    }

    /// Passes datagrams on until there are none; `isLost` says which never arrive.
    func exchange(isLost: (Int) -> Bool = { _ in false }) {
      var number = 0
      for _ in 0..<50 {
        events.client = client.tick() ?? events.client
        var isQuiet = true
        for datagram in client.takeOutput() {
          number += 1
          isQuiet = false
          if !isLost(number) { events.server = datagram.withUnsafeBytes { server.receive($0) } ?? events.server }
        }
        for datagram in server.takeOutput() {
          number += 1
          isQuiet = false
          #expect(datagram.count <= DTLSConnection.datagramBytes)
          if !isLost(number) { events.client = datagram.withUnsafeBytes { client.receive($0) } ?? events.client }
        }
        if isQuiet { return }
      }
    }

    var keys: (server: SRTPKeys?, client: SRTPKeys?) {
      var keys: (SRTPKeys?, SRTPKeys?) = (nil, nil)
      if case .established(let server) = events.server { keys.0 = server }
      if case .established(let client) = events.client { keys.1 = client }
      return keys
    }
  }

  @Test("a handshake gives both the same keys, AES-GCM first, AES-CM where the peer has no other")
  func handshake() throws {
    for (profiles, expected) in [
      (SRTPProfile.allCases, SRTPProfile.aesGCM), ([.aesCM, .aesGCM], .aesGCM), ([.aesCM], .aesCM),
    ] {
      let pair = try Pair(clientProfiles: profiles)
      pair.exchange()
      let server = try #require(pair.keys.server)
      #expect(server.profile == expected)
      #expect(pair.keys.client == SRTPKeys(profile: expected, own: server.peer, peer: server.own))
      #expect(server.own.count == (expected == .aesGCM ? 28 : 30))
    }
  }

  @Test("a peer with another certificate than its offer named, or without SRTP of ours, is none")
  func strangers() throws {
    let stranger = try Pair(expected: Fingerprint(hash: .sha256, bytes: [UInt8](repeating: 1, count: 32)))
    stranger.exchange()
    #expect(stranger.events.server == .ended(.stranger))
    #expect(stranger.keys.server == nil)
    let other = try Pair(serverProfiles: [.aesGCM], clientProfiles: [.aesCM])
    other.exchange()
    #expect(other.events.server == .ended(.noProfile))
  }

  @Test("a goodbye ends the other side")
  func goodbye() throws {
    let pair = try Pair()
    pair.exchange()
    pair.client.close()
    pair.exchange()
    #expect(pair.events.server == .ended(.closed))
    let other = try Pair()
    other.exchange()
    other.server.close()
    other.exchange()
    #expect(other.events.client == .ended(.closed))
  }

  @Test("garbage, cut and damaged datagrams neither end nor establish anything")
  func garbage() throws {
    let pair = try Pair()
    for bytes in [[22], [22, 254, 253], [UInt8](repeating: 22, count: 1_400), [UInt8](repeating: 0, count: 13)] {
      #expect(bytes.withUnsafeBytes { pair.server.receive($0) } == nil)
    }
    pair.exchange()
    #expect(pair.keys.server != nil)
    // After the handshake, too.
    for bytes in [[23, 254, 253, 0, 1], [UInt8](repeating: 21, count: 100)] {
      #expect(bytes.withUnsafeBytes { pair.server.receive($0) } == nil)
    }
    pair.client.close()
    pair.exchange()
    #expect(pair.events.server == .ended(.closed))
  }

  @Test("records are cut at their borders and packed into datagrams")
  func packing() {
    func record(_ count: Int) -> [UInt8] {
      [22, 254, 253, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(count >> 8), UInt8(count & 0xff)]
        + [UInt8](repeating: 7, count: count)
    }
    let records = [record(500), record(500), record(300), record(1_000)]
    let datagrams = DTLSConnection.datagrams(records.flatMap { $0 }[...])
    #expect(datagrams.map(\.count) == [1_026, 313, 1_013])
    #expect(datagrams.flatMap { $0 } == records.flatMap { $0 })
  }
}
