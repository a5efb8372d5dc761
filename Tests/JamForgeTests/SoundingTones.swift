import JamCore
import KitTestSupport

@testable import JamForge
@testable import JamKit

/// A tone that a recipe asks for, as it is found in the sound.
struct SoundingTone {
  /// What the recipe says, in hertz.
  let wanted: Double
  /// What is measured: the mean frequency around that, weighed by power. Vibrato and unison come to their middle.
  let hertz: Double
  let power: Double

  /// Above or below the nearest note of the scale whose A is 440 Hz, −50…50.
  var cents: Double {
    let semitones = 12 * PortableMath.logarithm(hertz / 440)
    return 100 * (semitones - semitones.rounded())
  }

  /// The tones of `recipe` that are heard in `sound`, the strongest first: those within 8 dB of it, without overtones of others.
  static func heard(in sound: Sound, of recipe: SoundRecipe) -> [SoundingTone] {
    let planes = (0..<sound.channels).map { sound.channel($0) }
    let mono = planes.count == 1 ? planes[0] : zip(planes[0], planes[1]).map { ($0 + $1) / 2 }
    let layers = recipe.layers.filter(\.isTonal)
    let loudest = layers.map(\.level).max() ?? 0
    let tones = layers.filter { $0.level >= loudest - 12 }.flatMap { layer -> [SoundingTone] in
      guard let steady = layer.steady(in: recipe, milliseconds: Double(mono.count) / 48) else { return [] }
      let part = mono[Int(steady.from * 48)..<min(mono.count, Int(steady.to * 48))].prefix(65_536)
      let spectrum = Spectrum(part, isWindowed: true)
      let seconds = Double(part.count) / 48_000
      return layer.notes.map { note in
        let wanted = note * layer.strongestRatio * PortableMath.ratio(semitones: steady.bend)
        let reach = max(wanted * (PortableMath.ratio(semitones: 0.6) - 1), 2.5 / seconds)
        let range = (wanted - reach)..<(wanted + reach)
        return SoundingTone(
          wanted: wanted, hertz: spectrum.centroid(range), power: spectrum.power(range) / (seconds * seconds))
      }
    }.sorted { $0.power > $1.power }
    var heard: [SoundingTone] = []
    for tone in tones where tone.power > (tones.first?.power ?? 0) * 0.158 {
      let isOvertone = heard.contains { other in
        let ratio = tone.wanted / other.wanted
        return abs(PortableMath.logarithm(ratio / max(1, ratio.rounded()))) < 0.05
      }
      if !isOvertone { heard.append(tone) }
    }
    return heard
  }
}

extension LayerRecipe {
  fileprivate var isTonal: Bool {
    switch source {
    case .noise, .cluster: false
    case .sine, .triangle, .saw, .pulse, .fm, .modes: true
    }
  }

  /// Of partials the loudest one's, by the note.
  fileprivate var strongestRatio: Double {
    guard case .modes(let modes) = source else { return 1 }
    return modes.first { mode in modes.allSatisfy { $0.level <= mode.level } }?.ratio ?? 1
  }

  /// The first stretch of 120 ms or more over which nothing bends the layer: from and to in ms, and by how much it stays bent. A short
  /// sound with echoes is looked at until they come.
  fileprivate func steady(
    in recipe: SoundRecipe, milliseconds total: Double
  ) -> (from: Double, to: Double, bend: Double)? {
    guard let last = bend.points.last else { return nil }
    let points = bend.points + [Envelope.Point(milliseconds: max(total - at, last.milliseconds), value: last.value)]
    let places = bend.isConstant ? [.init(milliseconds: 0, value: last.value), points[1]] : points
    let stretch = zip(places, places.dropFirst()).first { first, second in
      abs(first.value - second.value) < 0.001 && second.milliseconds - first.milliseconds >= 120
    }
    guard let (first, second) = stretch else { return nil }
    let from = at + max(first.milliseconds, 20)
    var to = min(total, at + second.milliseconds)
    let echoes = recipe.chain.compactMap { effect -> Double? in
      if case .delay(let milliseconds, _, _, _) = effect, milliseconds > 100 { milliseconds } else { nil }
    }
    if let echo = echoes.min(), let end = amplitude.audibleEnd, (150...2 * echo).contains(end) {
      to = min(to, echo, at + end)
    }
    return to - from >= 100 ? (from, to, first.value) : nil
  }
}
