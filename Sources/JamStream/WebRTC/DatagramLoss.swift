internal import Synchronization

/// Loses WebRTC's datagrams on purpose, both ways, as a bad network does, to test how listeners
/// cope.
///
/// Thread: any.
public final class DatagramLoss: Sendable {
  /// The phase that a datagram is part of.
  public enum Phase: String, Sendable, CaseIterable {
    /// Checks and the handshake: STUN and DTLS.
    case connecting
    /// Sound and reports: SRTP and SRTCP.
    case playing
  }

  /// The share of each phase that is lost, 0…1.
  public let connecting: Double
  public let playing: Double
  private let counts = Mutex<[Phase: UInt64]>([:])

  public init(connecting: Double, playing: Double) {
    self.connecting = connecting
    self.playing = playing
  }

  /// The number of datagrams that were lost so far.
  public func lost(_ phase: Phase) -> UInt64 { counts.withLock { $0[phase, default: 0] } }

  /// Whether to lose a datagram with these bytes. Each datagram is lost by chance, independently.
  func takes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let kind = DatagramKind(bytes) else { return false }
    let phase: Phase = kind == .media ? .playing : .connecting
    guard Double.random(in: 0..<1) < (phase == .connecting ? connecting : playing) else { return false }
    counts.withLock { $0[phase, default: 0] += 1 }
    return true
  }
}
