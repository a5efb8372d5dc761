internal import CALSA
internal import Glibc

/// The sound devices of this machine, by the names that `--alsa` takes.
///
/// Thread: any but real-time ones.
public enum ALSADevices {
  /// Names of the devices that play, as ALSA lists them; `null` and the like included.
  public static var playback: [String] { names(but: "Input") }

  /// Names of the devices that can be recorded from; `null` and the like included.
  public static var capture: [String] { names(but: "Output") }

  /// Whether a sound card has anything to record from.
  public static var canCapture: Bool {
    jam_alsa_be_quiet()
    var number: Int32 = -1
    while snd_card_next(&number) >= 0, number >= 0 {
      var card: OpaquePointer?
      guard snd_ctl_open(&card, "hw:\(number)", Int32(SND_CTL_NONBLOCK)) >= 0, let card else { continue }
      defer { snd_ctl_close(card) }
      if captures(card) { return true }
    }
    return false
  }

  private static func captures(_ card: OpaquePointer) -> Bool {
    var info: OpaquePointer?
    guard snd_pcm_info_malloc(&info) >= 0 else { return false }
    defer { snd_pcm_info_free(info) }
    var device: Int32 = -1
    while snd_ctl_pcm_next_device(card, &device) >= 0, device >= 0 {
      snd_pcm_info_set_device(info, UInt32(device))
      snd_pcm_info_set_stream(info, SND_PCM_STREAM_CAPTURE)
      if snd_ctl_pcm_info(card, info) >= 0 { return true }
    }
    return false
  }

  /// - Parameter direction: the mark of devices that work only in the other direction.
  private static func names(but direction: String) -> [String] {
    jam_alsa_be_quiet()
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard snd_device_name_hint(-1, "pcm", &hints) >= 0, let hints else { return [] }
    defer { snd_device_name_free_hint(hints) }
    var names: [String] = []
    var next = hints
    while let hint = next.pointee {
      if text("IOID", of: hint) != direction, let name = text("NAME", of: hint) { names.append(name) }
      next += 1
    }
    return names
  }

  /// Sound cards, as `0 PCH: HDA Intel PCH`; empty on a machine without one.
  public static var cards: [String] {
    var cards: [String] = []
    var number: Int32 = -1
    while snd_card_next(&number) >= 0, number >= 0 {
      var name: UnsafeMutablePointer<CChar>?
      guard snd_card_get_name(number, &name) >= 0, let name else { continue }
      cards.append("\(number): \(String(cString: name))")
      free(name)
    }
    return cards
  }

  private static func text(_ key: String, of hint: UnsafeMutableRawPointer) -> String? {
    guard let value = snd_device_name_get_hint(hint, key) else { return nil }
    defer { free(value) }
    return String(cString: value)
  }
}
