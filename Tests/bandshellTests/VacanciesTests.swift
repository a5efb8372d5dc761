import JamCore
@testable import JamServer
import Testing

@testable import bandshell

@Suite("Rooms that nobody is in")
struct VacanciesTests {
  private func moment(_ seconds: Double) -> HostTime {
    HostTime(nanoseconds: 0).advanced(byMilliseconds: seconds * 1_000)
  }
  private let attic = PlayerName("attic")!

  @Test("close after a minute in which nobody was there")
  func empty() {
    var vacancies = Vacancies()
    for second in 0..<60 { #expect(vacancies.lookFor(attic, .empty, at: moment(Double(second))) == []) }
    #expect(vacancies.lookFor(attic, .empty, at: moment(60)) == [attic])
  }

  @Test("somebody who looks in begins the minute anew")
  func visit() {
    var vacancies = Vacancies()
    #expect(vacancies.lookFor(attic, .empty, at: moment(0)) == [])
    #expect(vacancies.lookFor(attic, .inUse, at: moment(59)) == [])
    #expect(vacancies.lookFor(attic, .empty, at: moment(61)) == [])
    #expect(vacancies.lookFor(attic, .empty, at: moment(120)) == [])
    #expect(vacancies.lookFor(attic, .empty, at: moment(121)) == [attic])
  }

  @Test("a loop that was left playing holds one longer, not for ever")
  func loops() {
    var vacancies = Vacancies()
    #expect(vacancies.lookFor(attic, .loops, at: moment(0)) == [])
    #expect(vacancies.lookFor(attic, .loops, at: moment(599)) == [])
    #expect(vacancies.lookFor(attic, .loops, at: moment(600)) == [attic])
  }

  @Test("a room that closed and is opened again has its minute")
  func again() {
    var vacancies = Vacancies()
    _ = vacancies.look([(attic, .empty)], at: moment(0))
    #expect(vacancies.look([(attic, .empty)], at: moment(60)) == [attic])
    #expect(vacancies.look([], at: moment(61)) == [])
    #expect(vacancies.look([(attic, .empty)], at: moment(62)) == [])
  }
}

extension Vacancies {
  fileprivate mutating func lookFor(_ name: PlayerName, _ use: Use, at now: HostTime) -> [PlayerName] {
    look([(name, use)], at: now)
  }
}
