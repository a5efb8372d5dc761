internal import CALSA
internal import Glibc

/// The errors of a sound device.
public enum DeviceError: Error, Hashable, CustomStringConvertible {
  /// No device of that name; `known` are the devices of this machine.
  case unknown(device: String, known: [String])
  /// No device of that name to record from; `known` are the devices of this machine.
  case unknownInput(device: String, known: [String])
  /// The device exists, but another program has it.
  case busy(device: String)
  /// The device was there and is gone, or does not answer.
  case lost(device: String)
  /// The device cannot do what we need.
  case unsuitable(device: String, wanted: String)
  /// This machine has no ALSA sequencer, or we may not use it.
  case noSequencer(code: Int32)
  /// The sequencer has no MIDI source of that name.
  case unknownMIDI(source: String)
  /// Any other error of ALSA.
  case failed(device: String, doing: String, code: Int32)

  public var description: String {
    switch self {
    case .unknown(let device, let known):
      let list = known.isEmpty ? "none" : known.joined(separator: ", ")
      return "no ALSA device '\(device)'. Playback devices here: \(list). Choose one of them, or `none`"
    case .unknownInput(let device, let known):
      let list = known.isEmpty ? "none" : known.joined(separator: ", ")
      return "no ALSA device '\(device)' to record from. Recording devices here: \(list). Choose one of them, or `none`"
    case .busy(let device): return "the ALSA device '\(device)' is in use by another program"
    case .lost(let device): return "the ALSA device '\(device)' is gone"
    case .unsuitable(let device, let wanted):
      return "the ALSA device '\(device)' has no \(wanted); `plug:\(device)` converts to what it has"
    case .noSequencer(let code):
      return
        """
        there is no ALSA sequencer to hear MIDI from (\(String(cString: snd_strerror(code)))): \
        load the module snd-seq, or use `--midi none`
        """
    case .unknownMIDI(let source):
      return "nobody in the ALSA sequencer is called '\(source)': `aconnect -i` lists who there is"
    case .failed(let device, let doing, let code):
      return "the ALSA device '\(device)' failed at \(doing): \(String(cString: snd_strerror(code)))"
    }
  }

  static let opening = "opening"

  init(device: String, doing: String, code: Int32) {
    switch -code {
    // EINVAL at opening: ALSA cannot resolve the name, as in `hw:99`.
    case EINVAL where doing == DeviceError.opening, ENOENT: self = .unknown(device: device, known: ALSADevices.playback)
    case EBUSY: self = .busy(device: device)
    case ENODEV, ENXIO, EBADFD: self = .lost(device: device)
    default: self = .failed(device: device, doing: doing, code: code)
    }
  }

  /// The same for a recording device.
  init(recorder device: String, doing: String, code: Int32) {
    self.init(device: device, doing: doing, code: code)
    if case .unknown = self { self = .unknownInput(device: device, known: ALSADevices.capture) }
  }
}
