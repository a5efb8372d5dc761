import JamCore
import Synchronization
import Testing

@testable import JamNet

@Suite("hosts")
struct HostListTests {
  @Test("the interfaces are listed once for many requests, and anew some seconds later")
  func remembering() {
    final class Counter: Sendable { let looks = Atomic<Int>(0) }
    let counter = Counter()
    let list = HostList { ["look \(counter.looks.wrappingAdd(1, ordering: .relaxed).newValue)"] }
    let start = HostTime(nanoseconds: 0)
    #expect(list.hosts(at: start) == ["look 1"])
    #expect(list.hosts(at: start.advanced(byMilliseconds: HostList.lifeMilliseconds - 1)) == ["look 1"])
    #expect(list.hosts(at: start.advanced(byMilliseconds: HostList.lifeMilliseconds)) == ["look 2"])
  }
}
