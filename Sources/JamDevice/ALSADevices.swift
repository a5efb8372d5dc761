internal import CALSA
internal import Glibc

/// The sound devices of this machine, by the names that `--alsa` takes.
///
/// Thread: any but real-time ones.
public enum ALSADevices {
  /// Names of the devices that play, as ALSA lists them; `null` and the like included.
  public static var playback: [String] {
    jam_alsa_be_quiet()
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard snd_device_name_hint(-1, "pcm", &hints) >= 0, let hints else { return [] }
    defer { snd_device_name_free_hint(hints) }
    var names: [String] = []
    var next = hints
    while let hint = next.pointee {
      if text("IOID", of: hint) != "Input", let name = text("NAME", of: hint) { names.append(name) }
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
