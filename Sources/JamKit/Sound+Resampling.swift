import CSoxr
import JamCore

extension Sound {
  /// Frames that the sound will have at 48 kHz, rounded up.
  var framesAfterResampling: Int {
    let engineRate = Int(Frames.perSecond)
    return rate == engineRate ? frames : (frames * engineRate + rate - 1) / rate
  }

  /// The sound at 48 kHz, untouched where it is there already.
  ///
  /// `SOXR_HQ` (20 bits) rather than the next better one: it runs the same SSE code on every x86-64 machine, where that one
  /// takes AVX when it finds it and so gives other bits.
  /// - Throws: `KitError` naming `file`; only for want of memory.
  func resampled(named file: String) throws(KitError) -> Sound {
    let engineRate = Int(Frames.perSecond)
    guard rate != engineRate else { return self }
    var input = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
    var quality = soxr_quality_spec(UInt(SOXR_HQ), 0)
    var failure: soxr_error_t?
    guard
      let resampler = soxr_create(Double(rate), Double(engineRate), UInt32(channels), &failure, &input, &quality, nil)
    else { throw KitError(file, .unreadable(cause: "no memory for resampling")) }
    defer { soxr_delete(resampler) }
    let capacity = framesAfterResampling
    var made = 0
    var consumed = 0
    let output = [Float](unsafeUninitializedCapacity: capacity * channels) { buffer, count in
      interleaved.withUnsafeBufferPointer { source in
        while consumed < frames {
          var used = 0
          var done = 0
          _ = soxr_process(
            resampler, source.baseAddress! + consumed * channels, frames - consumed, &used,
            buffer.baseAddress! + made * channels, capacity - made, &done)
          consumed += used
          made += done
          if used == 0 && done == 0 { break }
        }
      }
      while made < capacity {
        var done = 0
        _ = soxr_process(resampler, nil, 0, nil, buffer.baseAddress! + made * channels, capacity - made, &done)
        if done == 0 { break }
        made += done
      }
      count = made * channels
    }
    guard made > 0 else { throw KitError(file, .empty) }
    return Sound(interleaved: output, channels: channels, rate: engineRate)
  }
}
