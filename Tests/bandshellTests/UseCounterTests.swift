import JamCore
@testable import JamRoom
@testable import JamServer
import JamStore
import Testing

@testable import bandshell

@Suite("Uses: which of them count") struct UseCounterTests {
  private func use(_ id: String = "house", by player: String = "ann", from saver: String = "10.0.0.1") -> LibraryUse {
    LibraryUse(kind: .kit, id: id, player: PlayerName(player)!, saver: saver)
  }

  private let house = Catalogue.UsedItem(kind: .kit, id: "house")

  @Test("one of a player and an item counts in ten minutes, those of others and of other items count too")
  func once() {
    var counter = UseCounter()
    var seconds: [Int] = []
    for second in 0...600 where counter.note(use(), at: Double(second)) { seconds.append(second) }
    #expect(seconds == [0, 600])
    counter.note(use(by: "bob"), at: 1)
    counter.note(use("dub"), at: 1)
    #expect(counter.take() == [house: 3, Catalogue.UsedItem(kind: .kit, id: "dub"): 1])
    #expect(counter.take() == [:])
  }

  @Test("whoever calls himself by many names counts eight times at most")
  func names() {
    var counter = UseCounter()
    for number in 0..<1_000 { counter.note(use(by: "ann\(number)"), at: Double(number) / 10) }
    #expect(counter.take() == [house: UseCounter.mostNames])
    let eve = counter.note(use(by: "eve", from: "10.0.0.2"), at: 100)
    #expect(eve)
  }

  @Test("what is remembered is bounded")
  func bounded() {
    var counter = UseCounter(mostRemembered: 100)
    for number in 0..<10_000 { counter.note(use("kit\(number)"), at: Double(number)) }
    // What is over is forgotten first: nobody counts twice by that.
    #expect(counter.take().values.allSatisfy { $0 == 1 })
  }

  @Test("what could not be written is counted with what comes next")
  func again() {
    var counter = UseCounter()
    counter.note(use(), at: 0)
    let uses = counter.take()
    counter.note(use(by: "bob"), at: 1)
    counter.putBack(uses)
    #expect(counter.take() == [house: 2])
  }
}
