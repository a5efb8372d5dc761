import JamCore
import JamNet
import JamRealtime
import Testing

@testable import JamStream

struct LeaseTests {
  private func path(_ port: UInt16) -> NetworkPath {
    NetworkPath(peer: .ipv4(192, 168, 1, 5, port: port), local: .ipv4(192, 168, 1, 1))
  }
  private let reception = LeaseTable.Reception(lossFraction: 0, jitterMilliseconds: 1, roundTripMilliseconds: nil)

  @Test("a lease lasts 30 s from the request, from its repetition, and from a report")
  func expiry() {
    var table = LeaseTable()
    for port: UInt16 in [5_000, 5_002, 5_004] {
      let isNew = table.grant(path(port), at: milliseconds(0))
      #expect(isNew)
    }
    let isNew = table.grant(path(5_002), at: milliseconds(20_000))
    #expect(!isNew)
    table.renew(path(5_004).peer, from: .same, reception: reception, at: milliseconds(25_000))
    let value1 = table.expire(at: milliseconds(29_999))
    #expect(value1.isEmpty)
    let value2 = table.expire(at: milliseconds(30_000))
    #expect(value2.map(\.path) == [path(5_000)])
    let value3 = table.expire(at: milliseconds(50_000))
    #expect(value3.map(\.path) == [path(5_002)])
    #expect(table.paths == [path(5_004)])
    let value4 = table.expire(at: milliseconds(55_000))
    #expect(value4.map(\.path) == [path(5_004)])
    #expect(table.count == 0)
  }

  @Test("reports go out each second at first, then every five, to both ports until the listener shows its own")
  func reports() {
    var table = LeaseTable()
    _ = table.grant(path(5_000), at: milliseconds(0))
    let value5 = table.reportsDue(at: milliseconds(0), limit: 10)
    #expect(value5 == [path(5_000), path(5_001)])
    let value6 = table.reportsDue(at: milliseconds(900), limit: 10)
    #expect(value6.isEmpty)
    table.renew(path(5_000).peer, from: .next, reception: reception, at: milliseconds(950))
    for second in 1...5 {
      let value7 = table.reportsDue(at: milliseconds(Double(second) * 1_000), limit: 10)
      #expect(value7 == [path(5_001)])
    }
    let value8 = table.reportsDue(at: milliseconds(9_900), limit: 10)
    #expect(value8.isEmpty)
    table.renew(path(5_000).peer, from: .same, reception: reception, at: milliseconds(9_950))
    let value9 = table.reportsDue(at: milliseconds(10_000), limit: 10)
    #expect(value9 == [path(5_000)])
  }

  @Test("many reports are spread over several looks, and nobody is forgotten")
  func spreading() {
    var table = LeaseTable()
    for port in 0..<100 { _ = table.grant(path(5_000 + UInt16(port) * 2), at: milliseconds(0)) }
    var told: Set<NetworkPath> = []
    for look in 0..<4 { told.formUnion(table.reportsDue(at: milliseconds(Double(look)), limit: 25)) }
    #expect(told.count == 200)
  }

  @Test("leases come and go in any order, and each keeps its own")
  func churn() {
    var table = LeaseTable()
    for port in 0..<50 { _ = table.grant(path(6_000 + UInt16(port)), at: milliseconds(Double(port))) }
    for port in stride(from: 0, to: 50, by: 3) {
      let wasThere = table.remove(path(6_000 + UInt16(port)).peer)
      #expect(wasThere)
    }
    let isThereTwice = table.remove(path(6_000).peer)
    #expect(!isThereTwice)
    let left = Set(table.paths.map(\.peer.port))
    let expected: [UInt16] = (0..<50).filter { $0 % 3 != 0 }.map { 6_000 + UInt16($0) }
    #expect(left == Set(expected))
    let ended = table.expire(at: milliseconds(30_010))
    #expect(ended.count == 7)
  }

  private func stream() throws -> RTPStream {
    let tape = HandTape()
    let room = RoomStreams(room: "main", tape: tape.tape, anchor: ClockAnchor(origin: HostTime(nanoseconds: 0)))
    return RTPStream(
      room: room, source: try room.open(.rtp, for: CountingSink()), ssrc: 77, sequence: 0, name: "bandshell")
  }

  @Test("only a report about our stream renews, and a goodbye with one ends the lease at once")
  func renewal() throws {
    var stream = try stream()
    let listener = path(5_000).peer
    let clock = WallClock(offsetNanoseconds: 0)
    _ = stream.leases.grant(path(5_000), at: milliseconds(0))
    func receive(_ packets: [RTCPPacket], at time: Double) -> RTPStream.Outcome {
      stream.receive(packets, about: listener, from: .same, at: milliseconds(time), clock: clock)
    }
    let value11 = receive([.receiverReport(ssrc: 1, [])], at: 1_000)
    #expect(value11 == .irrelevant)
    let value12 = receive([.receiverReport(ssrc: 1, [.init(ssrc: 78)])], at: 1_000)
    #expect(value12 == .irrelevant)
    let value13 = receive([.receiverReport(ssrc: 1, []), .bye([1])], at: 1_000)
    #expect(value13 == .irrelevant)
    let value14 = receive([.receiverReport(ssrc: 1, [.init(ssrc: 77, fractionLost: 64)])], at: 20_000)
    #expect(value14 == .renewed)
    #expect(stream.leases.leases[0].reception?.lossFraction == 0.25)
    let value10 = stream.leases.expire(at: milliseconds(49_000))
    #expect(value10.isEmpty)
    let value15 = receive([.receiverReport(ssrc: 1, [.init(ssrc: 77)]), .bye([1])], at: 49_000)
    #expect(value15 == .left)
    #expect(stream.leases.count == 0)
  }
}
