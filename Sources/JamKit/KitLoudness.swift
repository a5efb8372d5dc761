public import JamCore

/// The loudness of a kit: of its demo beat, and of its pads, each at full velocity with its own
/// gains.
public struct KitLoudness: Sendable {
  public struct Sound: Sendable {
    public let pad: Pad
    public let name: String
    /// The momentary maximum in LUFS; nil where the sound is silent.
    public let loudness: Double?
  }

  /// One for each pad that has a sound: the first sound of its loudest layer.
  public let sounds: [Sound]

  /// The mean of all audible pads, in LUFS; nil where all are silent.
  public var mean: Double? {
    let heard = sounds.compactMap(\.loudness)
    return heard.isEmpty ? nil : heard.reduce(0, +) / Double(heard.count)
  }

  /// The loudness of the kit's `DemoBeat`, played by one player, in LUFS over its four bars; nil
  /// where it is silent.
  public let beat: Double?
  /// The highest true peak of that beat, in dBTP. Above −1.4 the room's limiter works.
  public let beatPeak: Double

  /// - Thread: any; not real-time safe.
  public init(of kit: LoadedKit) {
    let measured = BeatLoudness(of: kit)
    beat = measured?.integrated
    beatPeak = measured?.truePeak ?? -180
    sounds = Pad.all.compactMap { pad in
      guard let entry = kit.kit[pad], let layer = kit.layers(pad).last, let memory = layer.sounds.first else {
        return nil
      }
      let gain = Double(entry.settings.gain + layer.gain)
      let loudness = Loudness.momentaryMaximum(of: JamKit.Sound(memory.view)).map { $0 + gain }
      return Sound(pad: pad, name: entry.name, loudness: loudness)
    }
  }
}

extension JamKit.Sound {
  /// A copy of a sound in memory.
  init(_ view: SampleView) {
    let channels = view.isStereo ? 2 : 1
    var values: [Float] = []
    values.reserveCapacity(Int(view.frameCount) * channels)
    for frame in 0..<Int(view.frameCount) {
      values.append(view.left[frame])
      if view.isStereo { values.append(view.right[frame]) }
    }
    self.init(interleaved: values, channels: channels, rate: Int(Frames.perSecond))
  }
}
