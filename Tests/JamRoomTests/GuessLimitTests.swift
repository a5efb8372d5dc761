import JamCore
import JamRoom
import Testing

/// How often words may be tried.
@Suite struct GuessLimitTests {
  private func at(_ seconds: Double) -> HostTime { HostTime(nanoseconds: 0).advanced(byMilliseconds: seconds * 1_000) }

  @Test("ten wrong words are answered at once, eight are held a second apart, the rest is not looked at")
  func wrongWords() {
    let limit = GuessLimit<Int>()
    var verdicts: [GuessLimit<Int>.Verdict] = []
    for _ in 0..<30 { verdicts.append(limit.judge(isRight: false, isStrong: false, from: 1, at: at(0))) }
    #expect(verdicts.prefix(10).allSatisfy { $0 == .answered })
    #expect(verdicts[10..<18].elementsEqual((1...8).map { .held(milliseconds: Double($0) * 1_000) }))
    #expect(verdicts.suffix(12).allSatisfy { $0 == .refused(seconds: 1) })
  }

  @Test("whoever is faster than the limit learns of one word a second, however many are sent")
  func rate() {
    let limit = GuessLimit<Int>()
    var answered = 0
    var due: [HostTime] = []
    for step in 0..<60_000 {
      let now = at(Double(step) / 1_000)
      answered += due.count { $0 <= now }
      for _ in due.filter({ $0 <= now }) {
        #expect(limit.judge(isRight: false, isStrong: false, from: 1, wasHeld: true, at: now) == .answered)
      }
      due.removeAll { $0 <= now }
      switch limit.judge(isRight: false, isStrong: false, from: 1, at: now) {
      case .answered: answered += 1
      case .held(let milliseconds): due.append(now.advanced(byMilliseconds: milliseconds))
      case .refused: break
      }
    }
    #expect((10 + 50...10 + 61).contains(answered), "\(answered)")
  }

  @Test("right words cost nothing, and pass in their turn where wrong ones came before") func rightWords() {
    let limit = GuessLimit<Int>()
    for _ in 0..<1_000 {
      #expect(limit.judge(isRight: true, isStrong: false, from: 1, at: at(0)) == .answered)
    }
    for _ in 0..<10 { _ = limit.judge(isRight: false, isStrong: false, from: 1, at: at(0)) }
    #expect(limit.judge(isRight: true, isStrong: false, from: 1, at: at(0)) == .held(milliseconds: 1_000))
    #expect(limit.judge(isRight: true, isStrong: false, from: 1, wasHeld: true, at: at(1)) == .answered)
    // It was paid back.
    #expect(limit.judge(isRight: false, isStrong: false, from: 1, at: at(1)) == .answered)
  }

  @Test(
    "while a flood fills all places, a right strong word is answered at once, and a right weak one waits for a place")
  func strongWords() {
    let limit = GuessLimit<Int>()
    for _ in 0..<1_000 { _ = limit.judge(isRight: false, isStrong: true, from: 1, at: at(0)) }
    for _ in 0..<100 {
      #expect(limit.judge(isRight: true, isStrong: true, from: 1, at: at(0)) == .answered)
      #expect(limit.judge(isRight: true, isStrong: false, from: 1, at: at(0)) == .refused(seconds: 1))
    }
    // It took nobody's place, and gave none.
    #expect(limit.judge(isRight: false, isStrong: true, from: 1, at: at(0)) == .refused(seconds: 1))
    #expect(limit.judge(isRight: true, isStrong: false, from: 1, at: at(1.5)) == .held(milliseconds: 7_500))
  }

  @Test("a word of 16 bytes is strong, a host word without its hyphens and spaces")
  func strength() {
    #expect(Secrets.isStrong("bafedogukilumaro"))
    #expect(Secrets.isStrong("ßßßßßßßß"))
    #expect(!Secrets.isStrong("bafedogukilumar"))
    #expect(Secrets.isStrong(Secrets.spoken("bafe-dogu-kilu-maro")))
    #expect(!Secrets.isStrong(Secrets.spoken("bafe-dogu - - - - -")))
    #expect(Secrets.isStrong(Secrets.text(length: 26)))
  }

  @Test("many addresses have one wrong word each, and who never guessed wrong waits for nobody")
  func manySources() {
    let limit = GuessLimit<Int>()
    var answered = 0
    for source in 1...200 {
      for _ in 0..<10 where limit.judge(isRight: false, isStrong: false, from: source, at: at(0)) == .answered {
        answered += 1
      }
    }
    // Sixty together, then one each of those that are left.
    #expect(answered == 60 + 194)
    #expect(limit.judge(isRight: true, isStrong: false, from: 1_000, at: at(0)) == .answered)
    #expect(limit.judge(isRight: false, isStrong: false, from: 2_000, at: at(0)) == .answered)
  }

  @Test("a flood of addresses is forgotten before those that guess most") func bounded() {
    let limit = GuessLimit<Int>(mostSources: 100)
    for _ in 0..<18 { _ = limit.judge(isRight: false, isStrong: false, from: 0, at: at(0)) }
    for source in 1...10_000 { _ = limit.judge(isRight: false, isStrong: false, from: source, at: at(0)) }
    #expect(limit.judge(isRight: true, isStrong: false, from: 0, at: at(0)) == .refused(seconds: 1))
  }

  @Test("comparing takes the whole word, whatever the secret's length") func equality() {
    #expect(Secrets.equal("sesame", "sesame"))
    for wrong in ["", "s", "sesam", "sesame!", "sesamesesame", "Sesame"] { #expect(!Secrets.equal(wrong, "sesame")) }
    #expect(Secrets.equal("", ""))
    #expect(!Secrets.equal("a", ""))
  }
}
