/// Owns one tempo map's segments at a fixed address and frees them when the last reference goes.
///
/// Thread: any; immutable.
public final class TempoMapMemory: @unchecked Sendable {
  // Unchecked: written once in init.
  public let view: TempoMapView
  private let tempos: UnsafeMutableBufferPointer<TempoSegment>
  private let signatures: UnsafeMutableBufferPointer<SignatureSegment>

  init(tempos: [TempoSegment], signatures: [SignatureSegment], isPlaying: Bool) {
    precondition(!tempos.isEmpty && !signatures.isEmpty)
    self.tempos = .allocate(capacity: tempos.count)
    _ = self.tempos.initialize(from: tempos)
    self.signatures = .allocate(capacity: signatures.count)
    _ = self.signatures.initialize(from: signatures)
    view = TempoMapView(
      tempos: UnsafePointer(self.tempos.baseAddress!), tempoCount: tempos.count,
      signatures: UnsafePointer(self.signatures.baseAddress!), signatureCount: signatures.count, isPlaying: isPlaying)
  }

  deinit {
    tempos.deallocate()
    signatures.deallocate()
  }
}
