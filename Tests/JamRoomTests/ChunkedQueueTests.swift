import TestSupport
import Testing

@testable import JamRoom

@Suite struct ChunkedQueueTests {
  @Test("it is what an array is from which elements go at the front", arguments: 0..<8 as Range<UInt64>)
  func likeAnArray(seed: UInt64) {
    var dice = SplitMix(seed: seed)
    var queue = ChunkedQueue<Int>()
    var array: [Int] = []
    var gone = 0
    for step in 0..<400 {
      switch dice.next() % 8 {
      case 0...4:
        for _ in 0..<(dice.next() % 900) {
          queue.append(gone + array.count)
          array.append(gone + array.count)
        }
      case 5, 6:
        let count = Int(dice.next() % UInt64(array.count + 2))
        queue.removeFirst(before: gone + count)
        gone += min(count, array.count)
        array.removeFirst(min(count, array.count))
      default:
        if step % 3 == 0 { queue.compact() } else { queue.prepare(chunks: Int(dice.next() % 4)) }
        if let place = array.indices.randomElement(using: &dice) {
          queue[gone + place] += 1
          array[place] += 1
          queue[gone + place] -= 1
          array[place] -= 1
        }
      }
      guard queue.count == array.count, queue.isEmpty == array.isEmpty, queue.startIndex == gone,
        queue.indices.elementsEqual(gone..<gone + array.count), queue.indices.map({ queue[$0] }) == array
      else {
        Issue.record("seed \(seed), step \(step): \(queue.count) and \(array.count)")
        return
      }
    }
  }

  @Test("an element that is gone lets go of what it held once its chunk is gone")
  func letsGo() {
    final class Thing {}
    var queue = ChunkedQueue<Thing>()
    weak var first: Thing?
    do {
      let thing = Thing()
      first = thing
      queue.append(thing)
    }
    for _ in 0..<ChunkedQueue<Thing>.size { queue.append(Thing()) }
    #expect(first != nil)
    queue.removeFirst(before: ChunkedQueue<Thing>.size)
    #expect(first == nil)
  }
}
