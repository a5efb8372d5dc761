internal import CALSA
internal import Glibc

extension ALSARecorder {
  /// The settings that a device accepted.
  struct Shape {
    /// Frames per second.
    var rate: Int
    /// 1 or 2.
    var channels: Int
    var format: snd_pcm_format_t
  }

  /// The settings that are asked of a device, the most wanted first.
  struct Wish {
    var formats = [SND_PCM_FORMAT_FLOAT, SND_PCM_FORMAT_S32, SND_PCM_FORMAT_S16]
    var channels = [2, 1]

    static var standard: Wish { Wish() }
  }

  /// Opens the device, sets it and starts it. If that fails, nothing stays open.
  static func open(
    _ device: String, configuration: String?, bufferFrames: Int, wish: Wish
  ) throws(DeviceError) -> (OpaquePointer, Shape) {
    let handle = try open(device, configuration)
    do throws(DeviceError) {
      let shape = try shape(handle, device: device, bufferFrames: bufferFrames, wish: wish)
      let result = snd_pcm_start(handle)
      guard result >= 0 else { throw DeviceError(recorder: device, doing: "starting", code: result) }
      return (handle, shape)
    } catch {
      snd_pcm_close(handle)
      throw error
    }
  }

  /// Checks that there is such a device, and that nobody else has it: opens and closes the device
  /// without listening.
  static func check(_ device: String, configuration: String?) throws(DeviceError) {
    jam_alsa_be_quiet()
    snd_pcm_close(try open(device, configuration))
  }

  private static func open(_ device: String, _ configuration: String?) throws(DeviceError) -> OpaquePointer {
    var opened: OpaquePointer?
    let result: Int32
    if let configuration {
      var root: OpaquePointer?
      var text: OpaquePointer?
      guard snd_config_top(&root) >= 0, snd_input_buffer_open(&text, configuration, configuration.utf8.count) >= 0
      else { throw .failed(device: device, doing: "finding memory", code: -ENOMEM) }
      defer {
        snd_input_close(text)
        snd_config_delete(root)
      }
      let read = snd_config_load(root, text)
      guard read >= 0 else { throw .failed(device: device, doing: "reading its configuration", code: read) }
      result = snd_pcm_open_lconf(&opened, device, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK), root)
    } else {
      result = snd_pcm_open(&opened, device, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK))
    }
    guard result >= 0, let opened else {
      throw DeviceError(recorder: device, doing: DeviceError.opening, code: result)
    }
    return opened
  }

  /// Sets the device to 48 kHz, or the nearest that it supports even by converting, and to the
  /// first of each wish that it can fulfil.
  private static func shape(
    _ handle: OpaquePointer, device: String, bufferFrames: Int, wish: Wish
  ) throws(DeviceError) -> Shape {
    var hardware: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&hardware) >= 0 else {
      throw .failed(device: device, doing: "finding memory", code: -ENOMEM)
    }
    defer { snd_pcm_hw_params_free(hardware) }
    func check(_ code: Int32, _ doing: String) throws(DeviceError) {
      guard code >= 0 else { throw DeviceError(recorder: device, doing: doing, code: code) }
    }

    try check(snd_pcm_hw_params_any(handle, hardware), "asking what it can do")
    guard snd_pcm_hw_params_set_access(handle, hardware, SND_PCM_ACCESS_RW_INTERLEAVED) >= 0,
      let format = wish.formats.first(where: { snd_pcm_hw_params_set_format(handle, hardware, $0) >= 0 })
    else { throw .unsuitable(device: device, wanted: "interleaved float, 32-bit or 16-bit format") }
    guard
      let channels = wish.channels.first(where: { snd_pcm_hw_params_set_channels(handle, hardware, UInt32($0)) >= 0 })
    else { throw .unsuitable(device: device, wanted: "one or two channels") }
    // Where a plugin can convert, the rate is 48 kHz; otherwise it is the device's own.
    _ = snd_pcm_hw_params_set_rate_resample(handle, hardware, 1)
    var rate: UInt32 = 48_000
    try check(snd_pcm_hw_params_set_rate_near(handle, hardware, &rate, nil), "setting its rate")
    var period = snd_pcm_uframes_t(framesPerRead)
    try check(snd_pcm_hw_params_set_period_size_near(handle, hardware, &period, nil), "setting its period")
    var buffer = snd_pcm_uframes_t(Swift.max(bufferFrames, Int(period) * 2))
    try check(snd_pcm_hw_params_set_buffer_size_near(handle, hardware, &buffer), "setting its buffer")
    try check(snd_pcm_hw_params(handle, hardware), "taking its settings")
    return Shape(rate: Int(rate), channels: channels, format: format)
  }
}
