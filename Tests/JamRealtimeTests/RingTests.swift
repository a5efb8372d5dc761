import Glibc
import JamRealtime
import TestSupport
import Testing

@Suite struct RingTests {
  @Test("what goes in comes out in order, and a full ring drops and counts")
  func inOrder() {
    let owner = RingOwner<Int>(capacity: 5)
    let ring = owner.ring
    #expect(ring.capacity == 8 && ring.freeSlots == 8 && ring.pop() == nil)
    for round in 0..<100 {
      for i in 0..<8 { #expect(ring.push(round * 8 + i)) }
      #expect(!ring.push(-1) && ring.freeSlots == 0 && ring.count == 8)
      for i in 0..<8 { #expect(ring.pop() == round * 8 + i) }
      #expect(ring.pop() == nil)
    }
    #expect(ring.dropped == 100)
  }

  @Test("across two threads nothing is lost, repeated or torn", arguments: [2, 64, 4_096])
  func acrossThreads(capacity: Int) throws {
    let count = UInt64(capacity > 2 ? 100_000 : 10_000)
    let owner = RingOwner<Wide>(capacity: capacity)
    let ring = owner.ring
    let producer = RealtimeThread(name: "ring test")
    producer.start {
      var next: UInt64 = 0
      while next < count {
        if ring.freeSlots > 0 {
          ring.push(Wide(next))
          next += 1
        } else {
          sched_yield()
        }
      }
    }
    var expected: UInt64 = 0
    var isWhole = true
    let patience = Patience()
    while expected < count {
      guard let value = ring.pop() else {
        try #require(patience.lasts)
        sched_yield()
        continue
      }
      isWhole = isWhole && value.a == expected && value.b == ~expected && value.c == expected &* 3
      expected += 1
    }
    producer.join()
    #expect(isWhole && ring.pop() == nil && ring.dropped == 0)
  }

  /// Wider than a word, so that it could be torn.
  struct Wide: BitwiseCopyable {
    var a, b, c: UInt64
    init(_ value: UInt64) {
      a = value
      b = ~value
      c = value &* 3
    }
  }
}
