import JamCore

/// Settings as kits and blocks write them: by the same names, without what is at its default.
extension PadSettings {
  init(reading reader: inout FieldReader, defaults: PadSettings) {
    self = defaults
    if let gain = reader.number("gain", in: -60...12, unit: " dB") { self.gain = Float(gain) }
    if let random = reader.number("gainRandom", in: 0...12, unit: " dB") { gainRandom = Float(random) }
    if let pan = reader.number("pan", in: -1...1) { self.pan = Float(pan) }
    if let random = reader.number("panRandom", in: 0...1) { panRandom = Float(random) }
    if let start = reader.number("start", in: PadSettings.milliseconds, unit: " ms") { self.start = Float(start) }
    if let decay = reader.number("decay", in: PadSettings.milliseconds, unit: " ms") { self.decay = Float(decay) }
    if let transpose = reader.number("transpose", in: -24...24) { self.transpose = Float(transpose) }
    if let random = reader.number("transposeRandom", in: 0...12) { transposeRandom = Float(random) }
    if let stretch = reader.number("stretch", in: 0.25...4) { self.stretch = Float(stretch) }
    if let quality = reader.choice("stretchQuality", of: StretchQuality.self) { stretchQuality = quality }
    if let choke = reader.integer("choke", in: 0...8) { self.choke = UInt8(choke) }
    if let voices = reader.integer("voices", in: 1...8) { self.voices = UInt8(voices) }
    if let mode = reader.choice("mode", of: PadMode.self) { self.mode = mode }
  }

  func json(beyond usual: PadSettings) -> [String] {
    var fields: [String] = []
    for (name, value, usual) in [
      ("gain", gain, usual.gain), ("gainRandom", gainRandom, 0), ("pan", pan, usual.pan), ("panRandom", panRandom, 0),
      ("start", start, 0),
      ("decay", decay, 0), ("transpose", transpose, 0), ("transposeRandom", transposeRandom, 0),
      ("stretch", stretch, usual.stretch),
    ] where value != usual {
      fields.append("\"\(name)\": \(legible(value))")
    }
    if stretchQuality != usual.stretchQuality {
      fields.append("\"stretchQuality\": \(quoted(stretchQuality.rawValue))")
    }
    if choke != usual.choke { fields.append("\"choke\": \(choke)") }
    if voices != usual.voices { fields.append("\"voices\": \(voices)") }
    if mode != usual.mode { fields.append("\"mode\": \(quoted(mode.rawValue))") }
    return fields
  }
}
