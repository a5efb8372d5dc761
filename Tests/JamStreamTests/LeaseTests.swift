import JamCore
import JamNet
import JamRealtime
import Testing

@testable import JamStream

/// A table that `#expect` can change.
private final class LeaseBox {
  var table = LeaseTable()
  var paths: [NetworkPath] { table.paths }
  var count: Int { table.count }
  func grant(_ path: NetworkPath, at now: HostTime) -> Bool { table.grant(path, at: now) }
  func renew(
    _ listener: SocketAddress, from port: LeaseTable.ReportPort, reception: Reception, at now: HostTime
  ) {
    table.renew(listener, from: port, reception: reception, at: now)
  }
  func remove(_ listener: SocketAddress) -> Bool { table.remove(listener) }
  func expire(at now: HostTime) -> [LeaseTable.Ended] { table.expire(at: now) }
  func reportsDue(at now: HostTime, limit: Int) -> [NetworkPath] { table.reportsDue(at: now, limit: limit) }
}

struct LeaseTests {
  private func path(_ port: UInt16) -> NetworkPath {
    NetworkPath(peer: .ipv4(192, 168, 1, 5, port: port), local: .ipv4(192, 168, 1, 1))
  }
  private let reception = Reception(lossFraction: 0, jitterMilliseconds: 1, roundTripMilliseconds: nil)

  @Test("a lease lasts 30 s from the request, from its repetition, and from a report")
  func expiry() {
    let table = LeaseBox()
    for port: UInt16 in [5_000, 5_002, 5_004] {
      let isNew = table.grant(path(port), at: milliseconds(0))
      #expect(isNew)
    }
    let isNew = table.grant(path(5_002), at: milliseconds(20_000))
    #expect(!isNew)
    table.renew(path(5_004).peer, from: .same, reception: reception, at: milliseconds(25_000))
    #expect(table.expire(at: milliseconds(29_999)).isEmpty)
    #expect(table.expire(at: milliseconds(30_000)).map(\.path) == [path(5_000)])
    #expect(table.expire(at: milliseconds(50_000)).map(\.path) == [path(5_002)])
    #expect(table.paths == [path(5_004)])
    #expect(table.expire(at: milliseconds(55_000)).map(\.path) == [path(5_004)])
    #expect(table.count == 0)
  }

  @Test("reports go out each second at first, then every five, to both ports until the listener shows its own")
  func reports() {
    let table = LeaseBox()
    _ = table.grant(path(5_000), at: milliseconds(0))
    #expect(table.reportsDue(at: milliseconds(0), limit: 10) == [path(5_000), path(5_001)])
    #expect(table.reportsDue(at: milliseconds(900), limit: 10).isEmpty)
    table.renew(path(5_000).peer, from: .next, reception: reception, at: milliseconds(950))
    for second in 1...5 {
      #expect(table.reportsDue(at: milliseconds(Double(second) * 1_000), limit: 10) == [path(5_001)])
    }
    #expect(table.reportsDue(at: milliseconds(9_900), limit: 10).isEmpty)
    table.renew(path(5_000).peer, from: .same, reception: reception, at: milliseconds(9_950))
    #expect(table.reportsDue(at: milliseconds(10_000), limit: 10) == [path(5_000)])
  }

  @Test("many reports are spread over several looks, and nobody is forgotten")
  func spreading() {
    let table = LeaseBox()
    for port in 0..<100 { _ = table.grant(path(5_000 + UInt16(port) * 2), at: milliseconds(0)) }
    var told: Set<NetworkPath> = []
    for look in 0..<4 { told.formUnion(table.reportsDue(at: milliseconds(Double(look)), limit: 25)) }
    #expect(told.count == 200)
  }

  @Test("leases come and go in any order, and each keeps its own")
  func churn() {
    let table = LeaseBox()
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
    #expect(receive([.receiverReport(ssrc: 1, [])], at: 1_000) == .irrelevant)
    #expect(receive([.receiverReport(ssrc: 1, [.init(ssrc: 78)])], at: 1_000) == .irrelevant)
    #expect(receive([.receiverReport(ssrc: 1, []), .bye([1])], at: 1_000) == .irrelevant)
    #expect(receive([.receiverReport(ssrc: 1, [.init(ssrc: 77, fractionLost: 64)])], at: 20_000) == .renewed)
    #expect(stream.leases.leases[0].reception?.report.lossFraction == 0.25)
    let ended = stream.leases.expire(at: milliseconds(49_000))
    #expect(ended.isEmpty)
    #expect(receive([.receiverReport(ssrc: 1, [.init(ssrc: 77)]), .bye([1])], at: 49_000) == .left)
    #expect(stream.leases.count == 0)
  }
}
