/// Owns the segments of one tempo map at a fixed address. The memory is freed with the last
/// reference.
///
/// Thread: any; immutable.
public final class TempoMapMemory: @unchecked Sendable {
  // Unchecked: the memory is only written in init.
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
