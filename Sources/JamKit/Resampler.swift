import CSoxr
import JamCore

/// Brings a sound to 48 kHz, piece by piece. The sizes of the pieces do not change the result.
///
/// The quality is `SOXR_HQ` (20 bits), not the next better one. `SOXR_HQ` runs the same SSE code on
/// every x86-64 machine. The better quality uses AVX where the machine has it, and then gives other
/// bits.
/// Thread: one at a time.
struct Resampler: ~Copyable {
  private let handle: soxr_t
  private let rate: Int
  private let channels: Int
  /// Frames that went in and came out.
  private var taken = 0
  private var made = 0

  /// - Throws: `KitError` naming `file`, only where memory is short.
  init(from rate: Int, channels: Int, named file: String) throws(KitError) {
    var input = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
    var quality = soxr_quality_spec(UInt(SOXR_HQ), 0)
    var failure: soxr_error_t?
    let engineRate = Double(Frames.perSecond)
    guard let handle = soxr_create(Double(rate), engineRate, UInt32(channels), &failure, &input, &quality, nil) else {
      throw KitError(file, .unreadable(cause: "no memory for resampling"))
    }
    self.handle = handle
    self.rate = rate
    self.channels = channels
  }

  deinit { soxr_delete(handle) }

  /// - Parameter input: interleaved frames.
  mutating func resample(_ input: UnsafeBufferPointer<Float>, into output: inout [Float]) {
    let count = input.count / channels
    var used = 0
    taken += count
    while used < count {
      let (consumed, done) = process(input.baseAddress! + used * channels, count - used, into: &output)
      used += consumed
      if consumed == 0 && done == 0 { break }
    }
  }

  /// Adds the frames that the filter still holds.
  mutating func finish(into output: inout [Float]) {
    while process(nil, 0, into: &output).done > 0 {}
  }

  private mutating func process(
    _ input: UnsafePointer<Float>?, _ count: Int, into output: inout [Float]
  ) -> (consumed: Int, done: Int) {
    // The filter rings on behind the end. The result keeps the sound's length, rounded up, so the
    // rest is cut.
    let room = min(Resampler.block, Sound.frames(taken, at: rate, broughtTo: Int(Frames.perSecond)) - made)
    var consumed = 0
    var done = 0
    withUnsafeTemporaryAllocation(of: Float.self, capacity: Resampler.block * channels) { buffer in
      _ = soxr_process(handle, input, count, &consumed, buffer.baseAddress!, max(0, room), &done)
      output.append(contentsOf: buffer[..<(done * channels)])
    }
    made += done
    return (consumed, done)
  }

  private static let block = 8_192
}
