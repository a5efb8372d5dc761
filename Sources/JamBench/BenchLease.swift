internal import JamCommand
internal import JamCore
internal import JamListen
internal import JamNet
internal import JamRealtime
internal import JamStream

/// An RTP lease for a bench's own socket. It is renewed by asking again.
///
/// Thread: one.
final class BenchLease {
  private let url: ListenURL
  private let port: UInt16
  private var next: HostTime

  private static let renewalMilliseconds = 10_000.0

  init(_ server: ServerUnderTest, port: UInt16, query: String) throws(ChildProcess.Failure) {
    guard let url = ListenURL(server.url("/listen.sdp?\(query)")) else {
      throw ChildProcess.Failure(description: "no address to listen at")
    }
    self.url = url
    self.port = port
    next = HostTime.now.advanced(byMilliseconds: BenchLease.renewalMilliseconds)
    do { _ = try url.requestLease(port: port) } catch { throw ChildProcess.Failure(description: "\(error)") }
  }

  /// Asks again when it is time for that.
  func renew() {
    let now = HostTime.now
    guard now >= next else { return }
    next = now.advanced(byMilliseconds: BenchLease.renewalMilliseconds)
    // A renewal that fails is repeated by the next one, long before the lease ends.
    _ = try? url.requestLease(port: port)
  }
}
