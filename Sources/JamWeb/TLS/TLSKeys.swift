public import JamCore
public import JamRealtime
import JamTLS
import Synchronization

/// A server's certificate, the certificates that vouch for it, and its key, all in PEM.
public struct TLSPair: Hashable, Sendable {
  public var certificates: String
  public var key: String

  public init(certificates: String, key: String) {
    self.certificates = certificates
    self.key = key
  }
}

/// The certificate and the key for new TLS connections. Certificates expire and addresses change,
/// so this looks for a new pair while the server runs.
///
/// Thread: any.
public final class TLSKeys: Sendable {
  /// The reason why a pair cannot be used, and what to do.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
  }

  private struct State {
    var pair: TLSPair
    var context: TLSContext
    var looked: HostTime
    var problem: Problem?
  }

  private let state: Mutex<State>
  private let source: @Sendable () throws(Problem) -> TLSPair
  private let report: @Sendable (Problem) -> Void

  /// How long a pair is used before this looks for a new one.
  private static let patienceMilliseconds = 60_000.0

  /// - Parameters:
  ///   - source: returns the current pair. It is called here, and then at most once a minute on an
  ///     event loop, so it may take only milliseconds.
  ///   - report: called once for each pair that cannot be used; the earlier pair stays in use.
  /// - Throws: `Problem` where the first pair cannot be used.
  public init(
    from source: @escaping @Sendable () throws(Problem) -> TLSPair, report: @escaping @Sendable (Problem) -> Void,
    at now: HostTime = .now
  ) throws(Problem) {
    self.source = source
    self.report = report
    let pair = try source()
    state = Mutex(State(pair: pair, context: try TLSKeys.context(of: pair), looked: now, problem: nil))
  }

  /// The context for a new connection.
  func context(at now: HostTime) -> TLSContext {
    let (context, problem) = state.withLock { state -> (TLSContext, Problem?) in
      guard now.milliseconds(since: state.looked) > TLSKeys.patienceMilliseconds else { return (state.context, nil) }
      state.looked = now
      do throws(Problem) {
        let pair = try source()
        if pair != state.pair {
          state.context = try TLSKeys.context(of: pair)
          state.pair = pair
        }
        state.problem = nil
      } catch {
        guard state.problem != error else { return (state.context, nil) }
        state.problem = error
        return (state.context, error)
      }
      return (state.context, nil)
    }
    if let problem { report(problem) }
    return context
  }

  /// Whether the present certificate is for a host name, in lower case.
  func isFor(host: String) -> Bool { state.withLock { $0.context }.isFor(host: host) }

  private static func context(of pair: TLSPair) throws(Problem) -> TLSContext {
    do throws(TLSProblem) { return try TLSContext(certificates: pair.certificates, key: pair.key) } catch {
      throw Problem("\(error)")
    }
  }
}
