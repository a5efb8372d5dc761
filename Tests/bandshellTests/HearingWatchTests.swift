import JamCore
import JamNet
import JamRoom
@testable import JamServer
import JamStream
import Testing

@testable import bandshell

@Suite("Looks at players' lights")
struct HearingWatchTests {
  private let main = PlayerName("main")!
  private let attic = PlayerName("attic")!

  @Test("only what the server was too late for since the last look counts, and nothing of before the first")
  func counts() {
    var watch = HearingWatch(from: HostTime(nanoseconds: 0))
    #expect(watch.take([main: 70]) == [main: 0])
    #expect(watch.take([main: 73, attic: 9]) == [main: 3, attic: 0])
    // A room without lights is not looked at, and begins anew.
    #expect(watch.take([attic: 10]) == [attic: 1])
    #expect(watch.take([main: 99, attic: 4]) == [main: 0, attic: 0])
  }

  @Test("each receiver report is told once, to its room, with the addresses that a player may have")
  func reports() {
    var watch = HearingWatch(from: HostTime(nanoseconds: 1_000))
    func stream(_ room: String, _ host: SocketAddress, at time: Int64) -> StreamReception {
      StreamReception(
        room: room, host: host,
        reception: Reception(lossFraction: 0.25, jitterMilliseconds: 7, roundTripMilliseconds: 31),
        received: HostTime(nanoseconds: time))
    }
    let old = stream("main", .ipv4(192, 0, 2, 1), at: 900)
    let (new, other) = (stream("main", .ipv4(192, 0, 2, 2), at: 1_100), stream("attic", .ipv4(192, 0, 2, 3), at: 1_200))
    let told = watch.take([old, new, other])
    let report = HearingReport(madeUp: 0.25, loss: 0.25, roundTrip: 31, jitter: 7)
    #expect(told["main"] == [ReceivedReport(addresses: ["192.0.2.2", "192.0.2.2/64"], report: report)])
    #expect(told["attic"]?.map(\.report) == [report])
    #expect(watch.take([old, new, other]).isEmpty)
    #expect(watch.take([old, stream("main", .ipv4(192, 0, 2, 2), at: 1_300)]).keys.sorted() == ["main"])
  }
}
