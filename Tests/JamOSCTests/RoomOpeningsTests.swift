import JamCore
import JamNet
import JamRoom
import Testing

@testable import JamOSC

@Suite("Opening rooms")
struct RoomOpeningsTests {
  private func moment(_ seconds: Double) -> HostTime {
    HostTime(nanoseconds: 0).advanced(byMilliseconds: seconds * 1_000)
  }
  private func name(_ number: Int) -> PlayerName { PlayerName("room-\(number)")! }

  /// - Returns: how many rooms `address` could open out of `count`.
  private func open(_ count: Int, _ address: SocketAddress, _ openings: inout RoomOpenings, at seconds: Double) -> Int {
    var opened = 0
    for number in 0..<count {
      guard (try? openings.allow(address, at: moment(seconds))) != nil else { continue }
      openings.opened(name(number), by: address)
      opened += 1
    }
    return opened
  }

  @Test("an address has four rooms open at once, however long it tries")
  func atOnce() {
    var openings = RoomOpenings()
    let stranger = SocketAddress.ipv4(192, 0, 2, 7)
    #expect(open(256, stranger, &openings, at: 0) == 4)
    for second in 1..<100 {
      #expect((try? openings.allow(stranger, at: moment(Double(second * 10)))) == nil)
    }
    openings.closed(name(0))
    #expect((try? openings.allow(stranger, at: moment(1_000))) != nil)
  }

  @Test("an address opens one in ten seconds, once it had four in a row")
  func pace() {
    var openings = RoomOpenings()
    let stranger = SocketAddress.ipv4(192, 0, 2, 7)
    var opened = 0
    for second in 0..<100 {
      guard (try? openings.allow(stranger, at: moment(Double(second)))) != nil else { continue }
      opened += 1
      openings.opened(name(0), by: stranger)
      openings.closed(name(0))
    }
    #expect(opened == 13)
  }

  @Test("others open theirs meanwhile; all of an IPv6 customer's addresses are one")
  func others() throws {
    var openings = RoomOpenings()
    #expect(open(256, .ipv4(192, 0, 2, 7), &openings, at: 0) == 4)
    #expect(throws: Never.self) { try openings.allow(.ipv4(192, 0, 2, 8), at: moment(0)) }
    var opened = 0
    for last in 1...64 {
      let address = try #require(SocketAddress(host: "2001:db8::\(last)"))
      guard (try? openings.allow(address, at: moment(0))) != nil else { continue }
      openings.opened(name(1_000 + last), by: address)
      opened += 1
    }
    #expect(opened == 4)
  }
}
