import JamCore
import JamRealtime
import JamTLS
import Synchronization
import Testing

@testable import JamWeb

/// What is served while certificates come and go.
@Suite struct TLSKeysTests {
  /// A pair that the test changes, as somebody changes files.
  private final class Files: Sendable {
    let pair: Mutex<TLSPair>
    let looks = Mutex(0)
    let problems = Mutex<[String]>([])

    init(_ pair: TLSPair) { self.pair = Mutex(pair) }

    func keys(at now: HostTime) throws(TLSKeys.Problem) -> TLSKeys {
      try TLSKeys(
        from: { () throws(TLSKeys.Problem) in
          self.looks.withLock { $0 += 1 }
          return self.pair.withLock { $0 }
        }, report: { problem in self.problems.withLock { $0.append("\(problem)") } }, at: now)
    }
  }

  private static func pair(_ machine: String = "stage") throws -> TLSPair {
    let names = [CertificateName.host("\(machine).local")]
    let made = try OwnAuthority(in: nil, machine: machine, names: names).server(names: names)
    return TLSPair(certificates: made.certificate, key: made.key)
  }

  private static let begin = HostTime(nanoseconds: 1_000_000_000)
  private static func seconds(_ seconds: Double) -> HostTime { begin.advanced(byMilliseconds: seconds * 1_000) }

  @Test("it looks once a minute, and takes a new certificate") func renewed() throws {
    let files = Files(try Self.pair())
    let keys = try files.keys(at: Self.begin)
    let first = keys.context(at: Self.seconds(1))
    files.pair.withLock { pair in pair = (try? Self.pair("other")) ?? pair }
    #expect(keys.context(at: Self.seconds(59)) === first)
    #expect(files.looks.withLock { $0 } == 1)
    let second = keys.context(at: Self.seconds(61))
    #expect(second !== first)
    // The same pair makes no other context.
    #expect(keys.context(at: Self.seconds(122)) === second)
    #expect(files.looks.withLock { $0 } == 3)
    #expect(files.problems.withLock { $0 } == [])
  }

  @Test("one that cannot be used is told once, and the one before stays") func damaged() throws {
    let good = try Self.pair()
    let files = Files(good)
    let keys = try files.keys(at: Self.begin)
    let first = keys.context(at: Self.begin)
    files.pair.withLock { $0.key = "half a file" }
    for minute in 1...3 { #expect(keys.context(at: Self.seconds(Double(minute) * 61)) === first) }
    #expect(files.problems.withLock { $0.count } == 1)
    files.pair.withLock { $0 = good }
    #expect(keys.context(at: Self.seconds(244)) === first)
    files.pair.withLock { $0.certificates = "" }
    #expect(keys.context(at: Self.seconds(305)) === first)
    #expect(files.problems.withLock { $0.count } == 2)
  }

  @Test("what is no certificate, no key, or another's key, is told for what it is") func refused() throws {
    let (one, two) = (try Self.pair(), try Self.pair("other"))
    for (pair, words) in [
      (TLSPair(certificates: "hello", key: one.key), "no certificate"),
      (TLSPair(certificates: one.certificates, key: "hello"), "no key"),
      (TLSPair(certificates: one.certificates, key: two.key), "does not belong"),
    ] {
      let problem = #expect(throws: TLSKeys.Problem.self) { try Files(pair).keys(at: Self.begin) }
      #expect(problem?.description.contains(words) == true)
    }
  }
}
