internal import CALSA
internal import Glibc

extension ALSAPlayer {
  /// The settings that a device accepted.
  struct Shape {
    var rate: Int
    var bufferFrames: Int
    var format: snd_pcm_format_t
  }

  /// Sets the device to stereo at 48 kHz, or the nearest that it supports, with a buffer near
  /// `bufferFrames`; it starts at `prefill` frames.
  static func shape(
    _ handle: OpaquePointer, device: String, bufferFrames: Int, prefill: Int
  ) throws(DeviceError) -> Shape {
    var hardware: OpaquePointer?
    var software: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&hardware) >= 0, snd_pcm_sw_params_malloc(&software) >= 0 else {
      snd_pcm_hw_params_free(hardware)
      throw .failed(device: device, doing: "finding memory", code: -ENOMEM)
    }
    defer {
      snd_pcm_hw_params_free(hardware)
      snd_pcm_sw_params_free(software)
    }
    func check(_ code: Int32, _ doing: String) throws(DeviceError) {
      guard code >= 0 else { throw DeviceError(device: device, doing: doing, code: code) }
    }

    try check(snd_pcm_hw_params_any(handle, hardware), "asking what it can do")
    let formats = [SND_PCM_FORMAT_FLOAT, SND_PCM_FORMAT_S32, SND_PCM_FORMAT_S16]
    guard snd_pcm_hw_params_set_access(handle, hardware, SND_PCM_ACCESS_RW_INTERLEAVED) >= 0,
      let format = formats.first(where: { snd_pcm_hw_params_set_format(handle, hardware, $0) >= 0 })
    else { throw .unsuitable(device: device, wanted: "interleaved float, 32-bit or 16-bit format") }
    guard snd_pcm_hw_params_set_channels(handle, hardware, 2) >= 0 else {
      throw .unsuitable(device: device, wanted: "two channels")
    }
    var rate: UInt32 = 48_000
    try check(snd_pcm_hw_params_set_rate_near(handle, hardware, &rate, nil), "setting its rate")
    var period: snd_pcm_uframes_t = 120
    try check(snd_pcm_hw_params_set_period_size_near(handle, hardware, &period, nil), "setting its period")
    var buffer = snd_pcm_uframes_t(Swift.max(bufferFrames, Int(period) * 2))
    try check(snd_pcm_hw_params_set_buffer_size_near(handle, hardware, &buffer), "setting its buffer")
    try check(snd_pcm_hw_params(handle, hardware), "taking its settings")
    try check(snd_pcm_hw_params_get_period_size(hardware, &period, nil), "telling its period")
    try check(snd_pcm_hw_params_get_buffer_size(hardware, &buffer), "telling its buffer")

    try check(snd_pcm_sw_params_current(handle, software), "telling its defaults")
    let start = snd_pcm_uframes_t(Swift.max(1, Swift.min(prefill, Int(buffer))))
    try check(snd_pcm_sw_params_set_start_threshold(handle, software, start), "setting its start")
    try check(snd_pcm_sw_params_set_avail_min(handle, software, period), "setting its wake-up")
    try check(snd_pcm_sw_params(handle, software), "taking its start")
    return Shape(rate: Int(rate), bufferFrames: Int(buffer), format: format)
  }
}
