internal import CALSA
internal import Glibc

/// A sound device that plays interleaved stereo floats at 48 kHz, or at the nearest rate that it
/// has.
///
/// It begins to sound when `prefill` frames are waiting in it. Thread: one at a time; not real-time
/// safe.
public struct ALSAPlayer: ~Copyable {
  private let handle: OpaquePointer
  public let device: String
  /// Frames per second that the device takes: 48,000 where it can.
  public let rate: Int
  /// The most frames that the device holds.
  public let bufferFrames: Int
  private let prefill: Int
  private let format: snd_pcm_format_t
  /// Times that the device ran dry.
  public private(set) var underruns = 0
  private var wide: [Int32] = []
  private var narrow: [Int16] = []

  /// Opens the device. It does not wait until another program closes the device.
  /// - Parameters:
  ///   - bufferFrames: the wanted size of the device's buffer; the device may have more or less.
  ///   - prefill: frames that must wait in it before it starts.
  /// - Throws: `.unknown` (with the list of devices), `.busy`, `.unsuitable` and the rest.
  public init(device: String, bufferFrames: Int = 4_800, prefill: Int = 480) throws(DeviceError) {
    jam_alsa_be_quiet()
    var opened: OpaquePointer?
    let result = snd_pcm_open(&opened, device, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
    guard result >= 0, let handle = opened else {
      throw DeviceError(device: device, doing: DeviceError.opening, code: result)
    }
    let shape: Shape
    do {
      shape = try ALSAPlayer.shape(handle, device: device, bufferFrames: bufferFrames, prefill: prefill)
    } catch {
      snd_pcm_close(handle)
      throw error
    }
    self.handle = handle
    self.device = device
    self.rate = shape.rate
    self.bufferFrames = shape.bufferFrames
    self.prefill = Swift.min(prefill, shape.bufferFrames)
    self.format = shape.format
  }

  deinit {
    snd_pcm_drop(handle)
    snd_pcm_close(handle)
  }

  /// Frames between the next one written and the loudspeaker; 0 for a device that does not report
  /// it or is dry.
  public var delayFrames: Int {
    var delay: snd_pcm_sframes_t = 0
    return snd_pcm_delay(handle, &delay) >= 0 ? Swift.max(0, delay) : 0
  }

  /// True after the device ran dry, until something is written.
  public var isDry: Bool { snd_pcm_state(handle) == SND_PCM_STATE_XRUN }

  /// Gives `count` interleaved stereo frames to the device, and waits for room in it.
  /// - Parameter timeoutMilliseconds: the longest wait for room in all; 0 takes the frames that fit
  ///   now.
  /// - Returns: frames taken; fewer than `count` when the time was over. A device that ran dry is
  ///   restarted, and counted.
  /// - Throws: `.lost` where the device is gone, `.failed` for the rest.
  public mutating func write(
    _ frames: UnsafePointer<Float>, count: Int, timeoutMilliseconds: Int = 0
  ) throws(DeviceError) -> Int {
    var done = 0
    var dryRuns = 0
    while done < count {
      let result = push(frames + done * 2, count: count - done)
      if result > 0 {
        done += result
      } else if result == -Int(EAGAIN) || result == 0 {
        guard timeoutMilliseconds > 0, snd_pcm_wait(handle, Int32(timeoutMilliseconds)) > 0 else { return done }
      } else if result == -Int(EPIPE) || result == -Int(ESTRPIPE), dryRuns < 2 {
        dryRuns += 1
        underruns += 1
        let recovered = snd_pcm_recover(handle, Int32(result), 1)
        guard recovered >= 0 else { throw DeviceError(device: device, doing: "recovering", code: recovered) }
      } else {
        throw DeviceError(device: device, doing: "writing", code: Int32(result))
      }
    }
    return done
  }

  /// Plays out what was written and stops.
  public mutating func drain() {
    snd_pcm_nonblock(handle, 0)
    snd_pcm_drain(handle)
    snd_pcm_nonblock(handle, 1)
  }

  private mutating func push(_ frames: UnsafePointer<Float>, count: Int) -> Int {
    switch format {
    case SND_PCM_FORMAT_S32:
      wide.removeAll(keepingCapacity: true)
      for i in 0..<count * 2 { wide.append(Int32(Swift.max(-1, Swift.min(1, Double(frames[i]))) * 2_147_483_647)) }
      return snd_pcm_writei(handle, wide, snd_pcm_uframes_t(count))
    case SND_PCM_FORMAT_S16:
      narrow.removeAll(keepingCapacity: true)
      for i in 0..<count * 2 { narrow.append(Int16((Swift.max(-1, Swift.min(1, frames[i])) * 32_767).rounded())) }
      return snd_pcm_writei(handle, narrow, snd_pcm_uframes_t(count))
    default:
      return snd_pcm_writei(handle, frames, snd_pcm_uframes_t(count))
    }
  }
}
