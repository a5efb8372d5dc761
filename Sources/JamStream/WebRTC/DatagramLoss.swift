internal import Synchronization

/// Loses WebRTC's datagrams on purpose, both ways, as a bad network does: to see how listeners get along.
///
/// Thread: any.
public final class DatagramLoss: Sendable {
  /// What a datagram is part of.
  public enum Phase: String, Sendable, CaseIterable {
    /// Checks and the handshake: STUN and DTLS.
    case connecting
    /// Sound and reports: SRTP and SRTCP.
    case playing
  }

  /// Which share of each phase is lost, 0…1.
  public let connecting: Double
  public let playing: Double
  private let counts = Mutex<[Phase: UInt64]>([:])

  public init(connecting: Double, playing: Double) {
    self.connecting = connecting
    self.playing = playing
  }

  /// How many were lost so far.
  public func lost(_ phase: Phase) -> UInt64 { counts.withLock { $0[phase, default: 0] } }

  /// Whether a datagram with these bytes gets lost: by chance, each for itself.
  func takes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let kind = DatagramKind(bytes) else { return false }
    let phase: Phase = kind == .media ? .playing : .connecting
    guard Double.random(in: 0..<1) < (phase == .connecting ? connecting : playing) else { return false }
    counts.withLock { $0[phase, default: 0] += 1 }
    return true
  }
}
