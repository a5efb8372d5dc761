import JamCore
import JamNet
import JamRoom
import JamWire
import Testing

@testable import JamOSC

/// Passwords and host words that come by OSC.
@Suite struct GuessTests {
  @Test("passwords cannot be guessed at speed, and the right one still passes") func guessing() throws {
    let rig = try EdgeRig(password: "sesame")
    let controller = try Controller(rig)
    for i in 0..<50 { controller.send("/password", .string("guess \(i)")) }
    // Ten were looked at, one waits, and the others are not looked at.
    #expect(rig.edge.heldWords.count == 1)
    controller.send("/password", .string("sesame"))
    controller.send("/pad/1", .float(1))
    #expect(rig.hits().isEmpty)
    rig.pass(milliseconds: 3_000)
    controller.send("/password", .string("sesame"))
    rig.pass(milliseconds: 3_000)
    controller.send("/pad/1", .float(1))
    #expect(rig.hits().count == 1)
  }

  @Test("host words are counted by address: leaving and coming back by another port wins nothing")
  func hostWords() throws {
    let rig = try EdgeRig()
    var told = 0
    for i in 0..<40 {
      let guesser = try Controller(rig)
      try guesser.hello("eve\(i)")
      guesser.send("/host", .string("guess \(i)"))
      told += guesser.received("/error").count { $0[1].text?.contains("is not the host word") == true }
      guesser.send("/bye")
    }
    #expect(told == 10)
  }

  @Test("a right word from behind a guesser's address passes in its turn, and one with a token at once")
  func sameAddress() throws {
    let rig = try EdgeRig(password: "sesame")
    let ann = try Controller(rig)
    ann.send("/hello", .string("ann"), .string("main"), .string("sesame"))
    let token = try #require(ann.received("/welcome").first?.last)
    let guesser = try Controller(rig)
    for i in 0..<30 { guesser.send("/hello", .string("eve"), .string("main"), .string("guess \(i)")) }
    // The same player's page, loaded anew.
    let again = try Controller(rig)
    again.send("/hello", .string("ann"), .string("main"), .string("sesame"), token)
    #expect(again.received("/welcome").count == 1)
    let bob = try Controller(rig)
    bob.send("/hello", .string("bob"), .string("main"), .string("sesame"))
    #expect(bob.received("/welcome").isEmpty)
    #expect(bob.received("/error").isEmpty)
    rig.pass(milliseconds: 2_500)
    #expect(bob.received("/welcome").count == 1)
  }

  @Test("strong words pass at once while somebody at the same address guesses without a pause") func strongWords()
    throws
  {
    let rig = try EdgeRig(password: "six words that nobody finds", hostWord: "bafe-dogu-kilu-maro")
    let boss = try Controller(rig)
    try guess(rig)
    boss.send("/hello", .string("ann"), .string("main"), .string("six words that nobody finds"))
    #expect(boss.received("/welcome").count == 1)
    boss.send("/host", .string("Bafe Dogu Kilu Maro"))
    #expect(boss.received("/host").last == [.int32(1)])
  }

  @Test("a strong word passes where an earlier word of the same sender waits") func strongAfterWeak() throws {
    let rig = try EdgeRig(password: "six words that nobody finds")
    let ann = try Controller(rig)
    for i in 0..<12 { ann.send("/hello", .string("ann"), .string("main"), .string("guess \(i)")) }
    #expect(rig.edge.heldWords.count == 1)
    ann.send("/hello", .string("ann"), .string("main"), .string("six words that nobody finds"))
    #expect(ann.received("/welcome").count == 1)
  }

  /// Wrong words from so many senders that every place is taken.
  private func guess(_ rig: EdgeRig) throws {
    for i in 0..<20 {
      let guesser = try Controller(rig)
      for j in 0..<3 { guesser.send("/hello", .string("eve\(i)"), .string("main"), .string("guess \(j)")) }
    }
    #expect(rig.edge.heldWords.count == 8)
  }

  @Test("the right password costs no try: a roomful behind one address comes back at once") func manyRight() throws {
    let rig = try EdgeRig(password: "sesame")
    for i in 0..<20 {
      let one = try Controller(rig)
      one.send("/hello", .string("one\(i)"), .string("main"), .string("sesame"))
      #expect(one.received("/welcome").count == 1)
    }
  }

  @Test("a wrong password is not kept, so pads of other rooms are no way to try it") func wrongIsNotKept() throws {
    let rig = try EdgeRig(password: "sesame")
    let controller = try Controller(rig)
    controller.send("/hello", .string("eve"), .string("attic"))
    controller.send("/password", .string("guess"))
    let kept = rig.on { [edge = rig.edge] in edge.table.endpoints.values.map(\.passwords.count).reduce(0, +) }
    #expect(kept == 0)
  }

  @Test("a host word is the same in any case, with or without hyphens") func spokenWord() throws {
    let rig = try EdgeRig()
    let host = try Controller(rig)
    try host.hello("ann")
    host.send("/host", .string("Wo-RD "))
    #expect(host.received("/host") == [[.int32(1)]])
  }
}
