import JamCore
import Testing

/// What makes a player's light, by time.
@Suite struct LatenessTests {
  /// A machine with a clock that reports every two seconds and looks every second.
  private struct Ear {
    var lateness = Lateness()
    var second = 0.0
    /// Each change of the light, as lamp and cause.
    var told: [String] = []

    /// Lets so many seconds pass, with the same report every two of them.
    mutating func pass(_ seconds: Int, _ report: HearingReport?, serverEvents: Int = 0) {
      for _ in 0..<seconds {
        second += 1
        let now = Frames.seconds(second)
        var isNews = lateness.look(serverEvents: serverEvents, at: now)
        if let report, Int(second) % 2 == 0 { isNews = lateness.take(report, at: now) || isNews }
        if isNews { told.append(Ear.text(lateness.light)) }
      }
    }

    static func text(_ light: PlayerLight) -> String {
      ["\(light.lamp)", light.cause?.rawValue, light.remedy?.rawValue].compactMap(\.self).joined(separator: " ")
    }

    var light: String { Ear.text(lateness.light) }
  }

  private static let good = HearingReport(roundTrip: 12, jitter: 2, buffer: 40, output: 20, busy: 0.02)

  @Test(
    "one number makes the light, with its cause and its remedy",
    arguments: [
      (good, "green"), (HearingReport(), "green"),
      (HearingReport(loss: 0.005), "green"),
      (HearingReport(loss: 0.02), "amber network cable"), (HearingReport(loss: 0.1), "red network cable"),
      (HearingReport(jitter: 14), "green"), (HearingReport(jitter: 20), "amber network cable"),
      (HearingReport(jitter: 50), "red network cable"),
      (HearingReport(roundTrip: 59), "green"), (HearingReport(roundTrip: 60), "amber network interval"),
      (HearingReport(roundTrip: 150), "red network interval"),
      (HearingReport(buffer: 120), "amber buffer reload"), (HearingReport(buffer: 300), "red buffer reload"),
      (HearingReport(buffer: 1_200), "red buffer udp"),
      (HearingReport(output: 50), "green"), (HearingReport(output: 100), "amber output wire"),
      (HearingReport(output: 220), "red output wire"),
      (HearingReport(busy: 0.15), "amber computer programs"), (HearingReport(busy: 0.5), "red computer programs"),
    ])
  func thresholds(report: HearingReport, light: String) {
    var ear = Ear()
    ear.pass(2, report)
    #expect(ear.light == light)
  }

  @Test("the largest part is named")
  func largest() {
    var ear = Ear()
    ear.pass(2, HearingReport(roundTrip: 70, jitter: 5, buffer: 90, output: 240, busy: 0.12))
    #expect(ear.light == "red output wire")
  }

  @Test("however little is made up, the light is not green while it is, nor for five seconds after")
  func madeUp() {
    var ear = Ear()
    ear.pass(4, LatenessTests.good)
    #expect(ear.light == "green")
    ear.pass(2, HearingReport(madeUp: 0.0001, roundTrip: 12, buffer: 40, output: 20))
    #expect(ear.light == "amber computer programs")
    ear.pass(4, LatenessTests.good)
    #expect(ear.light == "amber computer programs")
    ear.pass(4, LatenessTests.good)
    #expect(ear.told == ["green", "amber computer programs", "green"])
  }

  @Test(
    "sound is made up because of what is worst on its way, and not because of what only delays it",
    arguments: [
      (HearingReport(madeUp: 0.01, loss: 0.004), "amber network cable"),
      (HearingReport(madeUp: 0.2, loss: 0.02), "red network cable"),
      (HearingReport(madeUp: 0.02, jitter: 9, busy: 0.08), "amber computer programs"),
      (HearingReport(madeUp: 0.02, output: 75), "amber computer programs"),
      // A longer way or buffer makes up less, and a shorter one more.
      (HearingReport(madeUp: 0.3, roundTrip: 20, jitter: 2, buffer: 40, output: 10), "red computer programs"),
      (HearingReport(madeUp: 0.02, roundTrip: 50, buffer: 90), "amber computer programs"),
      (HearingReport(madeUp: 0.3, buffer: 1_200), "red buffer udp"),
      (HearingReport(madeUp: 0.001, loss: 0.001), "amber network cable"),
      (HearingReport(madeUp: 1), "red network cable"), (HearingReport(madeUp: 1, busy: 0.2), "red computer programs"),
      (HearingReport(madeUp: 0.01, output: 200), "red output wire"),
    ])
  func cause(report: HearingReport, light: String) {
    var ear = Ear()
    ear.pass(2, report)
    #expect(ear.light == light)
  }

  @Test("no report is not green, once one was due; who says that nothing sounds has no light")
  func silence() {
    var ear = Ear()
    ear.pass(60, nil)
    #expect(ear.told.isEmpty && ear.lateness.light == .off)
    ear.pass(2, LatenessTests.good)
    ear.pass(7, nil)
    #expect(ear.light == "green")
    ear.pass(1, nil)
    #expect(ear.light == "amber silence look")
    let now = Frames.seconds(ear.second)
    let (first, second) = (ear.lateness.stop(at: now), ear.lateness.stop(at: now))
    #expect(first && !second && ear.lateness.light == .off)
    ear.pass(60, nil)
    #expect(ear.lateness.light == .off)
  }

  @Test("a silent client is amber after seven seconds, however bad the last report was")
  func silenceAfterRed() {
    var ear = Ear()
    ear.pass(2, HearingReport(madeUp: 0.3, loss: 0.1))
    ear.pass(7, nil)
    #expect(ear.light == "red network cable")
    ear.pass(1, nil)
    #expect(ear.light == "amber silence look")
    ear.pass(30, nil)
    #expect(ear.told == ["red network cable", "amber silence look"])
    // The next bad report is red at once.
    ear.pass(2, HearingReport(madeUp: 0.3, loss: 0.1))
    #expect(ear.light == "red network cable")
  }

  @Test("a report right after the light went out is kept, and told when a second is over")
  func held() {
    var ear = Ear()
    ear.pass(2, LatenessTests.good)
    #expect(!ear.lateness.isHeld)
    _ = ear.lateness.stop(at: .seconds(2))
    #expect(!ear.lateness.isHeld)
    let atOnce = ear.lateness.take(HearingReport(loss: 0.1), at: .seconds(2.5))
    #expect(!atOnce && ear.lateness.isHeld)
    ear.pass(1, nil)
    #expect(ear.light == "red network cable" && !ear.lateness.isHeld)
  }

  @Test("a server that comes too late is named before what follows from that")
  func server() {
    var ear = Ear()
    ear.pass(2, HearingReport(madeUp: 0.02, loss: 0.08, jitter: 30), serverEvents: 2)
    #expect(ear.light == "red server relieve")
    // No server makes headphones late.
    var other = Ear()
    other.pass(2, HearingReport(output: 220), serverEvents: 1)
    #expect(other.light == "red output wire")
    var quiet = Ear()
    quiet.pass(2, LatenessTests.good, serverEvents: 1)
    quiet.pass(8, LatenessTests.good)
    #expect(quiet.told.last == "green" && quiet.told.contains("amber server relieve"))
  }

  @Test("hits that come after their timetag are the network's, for as long as they come")
  func lateHits() {
    var ear = Ear()
    ear.pass(2, LatenessTests.good)
    for _ in 0..<10 { ear.lateness.noteLateHit() }
    ear.pass(1, LatenessTests.good)
    #expect(ear.light == "red network cable")
    ear.pass(7, LatenessTests.good)
    #expect(ear.light == "green")
  }

  @Test("a value that goes to and fro about a threshold changes the light once")
  func hysteresis() {
    var ear = Ear()
    for _ in 0..<30 {
      ear.pass(2, HearingReport(jitter: 16))
      ear.pass(2, HearingReport(jitter: 11))
    }
    #expect(ear.told == ["amber network cable"])
    // Between four fifths of the threshold and the threshold it stays as it is.
    ear.pass(30, HearingReport(jitter: 14))
    #expect(ear.told.count == 1)
    ear.pass(8, HearingReport(jitter: 5))
    #expect(ear.told.last == "green")
  }

  @Test("of two causes that are about as bad the first stays, and a worse one comes after five seconds")
  func changeOfCause() {
    var ear = Ear()
    ear.pass(2, HearingReport(jitter: 20, output: 90))
    #expect(ear.light == "amber network cable")
    ear.pass(20, HearingReport(jitter: 20, output: 96))
    #expect(ear.light == "amber network cable")
    ear.pass(8, HearingReport(jitter: 16, output: 130))
    #expect(ear.told == ["amber network cable", "amber output wire"])
  }

  @Test("receiver reports come less often, and count less than the client's own words")
  func receiverReports() {
    var ear = Ear()
    _ = ear.lateness.take(HearingReport(), at: .seconds(0), patience: Lateness.patienceForReceiverReports)
    #expect(!ear.lateness.isReporting(at: .seconds(1)))
    ear.pass(20, nil)
    #expect(ear.light == "green")
    ear.pass(1, nil)
    #expect(ear.light == "amber silence look")
    ear.pass(1, LatenessTests.good)
    #expect(ear.lateness.isReporting(at: .seconds(23)) && !ear.lateness.isReporting(at: .seconds(40)))
  }

  @Test("a client that says that nothing sounds, and how bad it sounds, in turns, changes its light once a second")
  func flood() {
    var lateness = Lateness()
    var changes = 0
    for tenth in 0..<1_000 {
      let now = Frames.milliseconds(Double(tenth) * 10)
      if lateness.take(HearingReport(loss: 1), at: now) { changes += 1 }
      if lateness.stop(at: now) { changes += 1 }
    }
    // Ten seconds: on and off in each.
    #expect(changes == 20)
    let isNews = lateness.take(HearingReport(loss: 1), at: .seconds(12))
    #expect(isNews)
  }

  @Test("numbers that make no sense are brought into their range")
  func range() {
    let wild = HearingReport(
      madeUp: .nan, loss: -1, roundTrip: .infinity, jitter: -.infinity, buffer: 1e30, output: .nan, busy: 7)
    #expect(wild == HearingReport(roundTrip: 60_000, buffer: 60_000, busy: 1))
    var ear = Ear()
    ear.pass(2, wild)
    #expect(ear.lateness.light.lamp == .red)
  }

  // MARK: Hits with /heard

  /// Hits so late, one a second, with a look behind each.
  private func hits(_ milliseconds: Double, seconds: ClosedRange<Int>, _ lateness: inout Lateness) -> [String] {
    seconds.compactMap { second in
      let now = Frames.seconds(Double(second))
      _ = lateness.noteHeard(.milliseconds(milliseconds), at: now)
      return lateness.look(serverEvents: 0, at: now) ? Ear.text(lateness.light) : nil
    }
  }

  @Test(
    "hits that say what was heard make a light, which is never green",
    arguments: [
      (0, nil), (60, nil), (99, nil), (100, "amber delay shorten"), (240, "amber delay shorten"),
      (250, "red delay shorten"), (2_000, "red delay shorten"), (-5, nil),
    ] as [(Double, String?)])
  func heard(milliseconds: Double, light: String?) {
    var lateness = Lateness()
    #expect(!lateness.isHeld)
    let isNew = lateness.noteHeard(.milliseconds(milliseconds), at: .seconds(1))
    #expect(isNew && lateness.isHeld, "the looks have to begin")
    let told = hits(milliseconds, seconds: 1...8, &lateness)
    #expect(told == [light].compactMap(\.self))
    #expect(lateness.light.lamp != .green)
    let again = lateness.noteHeard(.milliseconds(milliseconds), at: .seconds(9))
    #expect(!again)
  }

  @Test("one hit that was held up makes no light; an ear that is late from now on does, and gets better slowly")
  func heardOutlier() {
    var lateness = Lateness()
    #expect(hits(40, seconds: 1...4, &lateness).isEmpty)
    #expect(hits(400, seconds: 5...5, &lateness).isEmpty)
    #expect(hits(40, seconds: 6...8, &lateness).isEmpty)
    #expect(hits(200, seconds: 9...20, &lateness) == ["amber delay shorten"])
    #expect(hits(40, seconds: 21...25, &lateness).isEmpty)
    #expect(hits(40, seconds: 26...27, &lateness) == ["off"])
    #expect(lateness.isHeld, "its hits go on")
  }

  @Test("a player that plays no more has no light, and is not looked at any more")
  func heardLongAgo() {
    var lateness = Lateness()
    #expect(hits(300, seconds: 1...2, &lateness) == ["red delay shorten"])
    var told: [String] = []
    for second in 3...30 where lateness.look(serverEvents: 0, at: .seconds(Double(second))) {
      told.append("\(second) \(Ear.text(lateness.light))")
    }
    #expect(told == ["23 off"] && !lateness.isHeld)
  }

  @Test("a client's own words count more; a receiver report's round trip is taken off")
  func heardBesideReports() {
    var ear = Ear()
    ear.pass(2, LatenessTests.good)
    _ = ear.lateness.noteHeard(.milliseconds(300), at: .seconds(2))
    ear.pass(4, LatenessTests.good)
    #expect(ear.told == ["green"])
    for (delay, light) in [(130.0, "green"), (170, "amber delay shorten")] {
      var lateness = Lateness()
      _ = lateness.noteHeard(.milliseconds(delay), at: .seconds(1))
      _ = lateness.take(
        HearingReport(roundTrip: 40), at: .seconds(1), patience: Lateness.patienceForReceiverReports)
      #expect(Ear.text(lateness.light) == light)
    }
  }

  @Test("a client that says that nothing sounds there puts the light of its hits out, too")
  func heardStopped() {
    var lateness = Lateness()
    #expect(hits(300, seconds: 1...1, &lateness) == ["red delay shorten"])
    let isNews = lateness.stop(at: .seconds(2))
    #expect(isNews && lateness.light == .off && !lateness.isHeld)
    _ = lateness.noteHeard(.milliseconds(20), at: .seconds(3))
    _ = lateness.stop(at: .seconds(3))
    #expect(!lateness.isHeld)
  }
}
