import JamCore
import JamNet
import JamRoom
import JamWire
import Testing

@testable import JamOSC

/// Passwords and host words that come by OSC.
@Suite struct GuessTests {
  @Test("passwords cannot be guessed at speed, and the right one still passes") func guessing() throws {
    let desk = try Desk(password: "sesame")
    let controller = try Controller(desk)
    for i in 0..<50 { controller.send("/password", .string("guess \(i)")) }
    // Ten were looked at, one waits, and the others are not looked at.
    #expect(desk.edge.heldWords.count == 1)
    controller.send("/password", .string("sesame"))
    controller.send("/pad/1", .float(1))
    #expect(desk.hits().isEmpty)
    desk.pass(milliseconds: 3_000)
    controller.send("/password", .string("sesame"))
    desk.pass(milliseconds: 3_000)
    controller.send("/pad/1", .float(1))
    #expect(desk.hits().count == 1)
  }

  @Test("host words are counted by address: leaving and coming back by another port wins nothing")
  func hostWords() throws {
    let desk = try Desk()
    var told = 0
    for i in 0..<40 {
      let guesser = try Controller(desk)
      try guesser.hello("eve\(i)")
      guesser.send("/host", .string("guess \(i)"))
      told += guesser.received("/error").count { $0[1].text?.contains("is not the host word") == true }
      guesser.send("/bye")
    }
    #expect(told == 10)
  }

  @Test("a right word from behind a guesser's address passes in its turn, and one with a token at once")
  func sameAddress() throws {
    let desk = try Desk(password: "sesame")
    let ann = try Controller(desk)
    ann.send("/hello", .string("ann"), .string("main"), .string("sesame"))
    let token = try #require(ann.received("/welcome").first?.last)
    let guesser = try Controller(desk)
    for i in 0..<30 { guesser.send("/hello", .string("eve"), .string("main"), .string("guess \(i)")) }
    // The same player's page, loaded anew.
    let again = try Controller(desk)
    again.send("/hello", .string("ann"), .string("main"), .string("sesame"), token)
    #expect(again.received("/welcome").count == 1)
    let bob = try Controller(desk)
    bob.send("/hello", .string("bob"), .string("main"), .string("sesame"))
    #expect(bob.received("/welcome").isEmpty)
    #expect(bob.received("/error").isEmpty)
    desk.pass(milliseconds: 2_500)
    #expect(bob.received("/welcome").count == 1)
  }

  @Test("strong words pass at once while somebody at the same address guesses without a pause") func strongWords()
    throws
  {
    let desk = try Desk(password: "six words that nobody finds", hostWord: "bafe-dogu-kilu-maro")
    let boss = try Controller(desk)
    try guess(desk)
    boss.send("/hello", .string("ann"), .string("main"), .string("six words that nobody finds"))
    #expect(boss.received("/welcome").count == 1)
    boss.send("/host", .string("Bafe Dogu Kilu Maro"))
    #expect(boss.received("/host").last == [.int32(1)])
  }

  @Test("a strong word passes where an earlier word of the same sender waits") func strongAfterWeak() throws {
    let desk = try Desk(password: "six words that nobody finds")
    let ann = try Controller(desk)
    for i in 0..<12 { ann.send("/hello", .string("ann"), .string("main"), .string("guess \(i)")) }
    #expect(desk.edge.heldWords.count == 1)
    ann.send("/hello", .string("ann"), .string("main"), .string("six words that nobody finds"))
    #expect(ann.received("/welcome").count == 1)
  }

  /// Wrong words from so many senders that every place is taken.
  private func guess(_ desk: Desk) throws {
    for i in 0..<20 {
      let guesser = try Controller(desk)
      for j in 0..<3 { guesser.send("/hello", .string("eve\(i)"), .string("main"), .string("guess \(j)")) }
    }
    #expect(desk.edge.heldWords.count == 8)
  }

  @Test("the right password costs no try: a roomful behind one address comes back at once") func manyRight() throws {
    let desk = try Desk(password: "sesame")
    for i in 0..<20 {
      let one = try Controller(desk)
      one.send("/hello", .string("one\(i)"), .string("main"), .string("sesame"))
      #expect(one.received("/welcome").count == 1)
    }
  }

  @Test("a wrong password is not kept, so pads of other rooms are no way to try it") func wrongIsNotKept() throws {
    let desk = try Desk(password: "sesame")
    let controller = try Controller(desk)
    controller.send("/hello", .string("eve"), .string("attic"))
    controller.send("/password", .string("guess"))
    let kept = desk.on { [edge = desk.edge] in edge.endpoints.values.map(\.passwords.count).reduce(0, +) }
    #expect(kept == 0)
  }

  @Test("a host word is the same in any case, with or without hyphens") func spokenWord() throws {
    let desk = try Desk()
    let host = try Controller(desk)
    try host.hello("ann")
    host.send("/host", .string("Wo-RD "))
    #expect(host.received("/host") == [[.int32(1)]])
  }
}
