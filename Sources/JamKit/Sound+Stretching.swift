import CSoundTouch
public import JamCore

extension Sound {
  /// The sound `factor` times as long at the same pitch; at 48 kHz.
  ///
  /// The onset stays where it is: a stretched drum must not come late.
  /// - Parameter factor: 0.25…4.
  /// - Returns: nil only for want of memory.
  func stretched(by factor: Double, _ quality: StretchQuality) -> Sound? {
    let wanted = max(1, Int((Double(frames) * factor).rounded()))
    // What the stretcher is still busy with when the sound is over is pushed out by silence.
    let silence = [Float](repeating: 0, count: 9_600 * channels)
    let input = interleaved + silence
    let capacity = wanted + 96_000
    var made = 0
    var output = [Float](unsafeUninitializedCapacity: capacity * channels) { buffer, count in
      made = input.withUnsafeBufferPointer {
        jam_stretch(
          $0.baseAddress, input.count / channels, Int32(channels), factor, quality == .fast ? 1 : 0,
          buffer.baseAddress, capacity)
      }
      count = max(0, made) * channels
    }
    guard made > 0 else { return nil }
    if output.count > wanted * channels {
      output.removeLast(output.count - wanted * channels)
    } else {
      output += [Float](repeating: 0, count: wanted * channels - output.count)
    }
    return Sound(interleaved: output, channels: channels, rate: rate, depth: depth)
  }
}

extension SampleMemory {
  /// The same sound, `factor` times as long at the same pitch.
  /// - Parameter factor: 0.25…4.
  /// - Thread: any that may wait: about a hundredth of the sound's length.
  /// - Returns: nil only for want of memory.
  public func stretched(by factor: Double, _ quality: StretchQuality) -> SampleMemory? {
    guard let stretched = Sound(self).stretched(by: factor, quality) else { return nil }
    return stretched.interleaved.withUnsafeBufferPointer {
      SampleMemory(hash: hash, interleaved: $0, channels: stretched.channels)
    }
  }
}
