internal import CALSA
internal import Glibc

/// A sound device for recording: floats at 48 kHz, or at the nearest rate that it has, in stereo,
/// or in mono if it has only one channel.
///
/// Thread: one at a time; not real-time safe.
struct ALSARecorder: RecordingDevice, ~Copyable {
  /// The most frames that one read takes: 10 ms.
  static let framesPerRead = 480

  let device: String
  /// The settings that the device accepted.
  private let shape: Shape
  private(set) var overruns = 0
  private let handle: OpaquePointer
  private let chunk: UnsafeMutableRawBufferPointer

  var channels: Int { shape.channels }
  var rate: Int { shape.rate }

  /// Opens the device, which begins to listen. It does not wait until another program closes the
  /// device.
  /// - Parameters:
  ///   - bufferFrames: the wanted size of the device's buffer; the device may have more or less.
  ///   - wish: the wanted settings of the device, the most wanted first.
  ///   - configuration: text in ALSA's configuration language, in which the name is looked up
  ///     instead of in the system's configuration.
  /// - Throws: `.unknownInput` (with the list of devices), `.busy`, `.unsuitable` and the rest.
  init(
    device: String, bufferFrames: Int = 24_000, wish: Wish = .standard, configuration: String? = nil
  ) throws(DeviceError) {
    jam_alsa_be_quiet()
    (handle, shape) = try ALSARecorder.open(
      device, configuration: configuration, bufferFrames: bufferFrames, wish: wish)
    self.device = device
    // Zeroed, so that a recording never contains other memory, even if a device writes less than it
    // reports. The widest value has four bytes.
    chunk = .allocate(byteCount: ALSARecorder.framesPerRead * shape.channels * 4, alignment: 16)
    chunk.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    snd_pcm_drop(handle)
    snd_pcm_close(handle)
    chunk.deallocate()
  }

  /// Restarts a device that overran, and counts it.
  /// - Throws: `.lost` where the device is gone, `.failed` for the rest.
  mutating func read(_ most: Int, appendingTo frames: inout [Float]) throws(DeviceError) -> Int {
    var done = 0
    var recoveries = 0
    while done < most {
      let wanted = Swift.min(most - done, ALSARecorder.framesPerRead)
      let result = snd_pcm_readi(handle, chunk.baseAddress, snd_pcm_uframes_t(wanted))
      if result > 0 {
        append(Swift.min(result, wanted) * shape.channels, to: &frames)
        done += Swift.min(result, wanted)
      } else if result == -Int(EAGAIN) || result == 0 {
        return done
      } else if result == -Int(EPIPE) || result == -Int(ESTRPIPE), recoveries < 2 {
        recoveries += 1
        overruns += 1
        try recover(from: Int32(result))
      } else {
        throw DeviceError(recorder: device, doing: "reading", code: Int32(result))
      }
    }
    return done
  }

  private func recover(from code: Int32) throws(DeviceError) {
    let recovered = snd_pcm_recover(handle, code, 1)
    guard recovered >= 0 else { throw DeviceError(recorder: device, doing: "recovering", code: recovered) }
    // A playing device starts by itself once it is filled; a recording device does not.
    let started = snd_pcm_state(handle) == SND_PCM_STATE_RUNNING ? 0 : snd_pcm_start(handle)
    guard started >= 0 else { throw DeviceError(recorder: device, doing: "starting again", code: started) }
  }

  private func append(_ count: Int, to frames: inout [Float]) {
    switch shape.format {
    case SND_PCM_FORMAT_S32:
      let values = chunk.bindMemory(to: Int32.self)
      for i in 0..<count { frames.append(Float(values[i]) / 2_147_483_648) }
    case SND_PCM_FORMAT_S16:
      let values = chunk.bindMemory(to: Int16.self)
      for i in 0..<count { frames.append(Float(values[i]) / 32_768) }
    default:
      let values = chunk.bindMemory(to: Float.self)
      // A converter cannot deliver NaN or values beyond full scale, so such values are errors.
      for i in 0..<count { frames.append(values[i].isNaN ? 0 : Swift.max(-1, Swift.min(1, values[i]))) }
    }
  }
}
