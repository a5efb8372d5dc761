internal import JamCore
internal import JamKit

/// One sound of an instrument with its velocities, as samplers state them.
struct VelocityTake {
  /// 0…1.
  var low: Double
  var high: Double
  /// dB.
  var gain = 0.0
  /// Semitones.
  var pitch = 0.0
  /// Its turn, where several takes take turns.
  var turn = 0
  var sound: Sound
  var source: String
  /// The part of it that repeats while its key is held; pads have none.
  var loop: SoundLoop?
}

extension ImportedPad {
  /// Combines takes into layers, softest first. Takes for the same velocities take turns. A pitch
  /// that all share becomes the pad's `transpose`; other pitches are rendered into the sounds.
  /// - Parameter takes: at least one, in any order.
  /// - Returns: notes of the takes that could not be carried over.
  mutating func setLayers(_ takes: [VelocityTake]) -> [String] {
    var notes: [String] = []
    let shared = takes[0].pitch
    let isShared = takes.allSatisfy { $0.pitch == shared } && abs(shared) <= 24
    if isShared { settings.transpose = Float(shared) }
    layers = []
    var bounds: (low: Double, high: Double)?
    for take in takes.sorted(by: { ($0.high, $0.low, $0.turn) < ($1.high, $1.low, $1.turn) }) {
      var sound = take.sound
      if !isShared, take.pitch != 0 { sound.detune(semitones: take.pitch) }
      if let bounds, bounds == (take.low, take.high) {
        // Takes of one layer share its gain. The difference is applied to the sound.
        let difference = Float(PortableMath.gain(take.gain - layers[layers.count - 1].gain))
        if difference != 1 { sound.interleaved = sound.interleaved.map { $0 * difference } }
        if layers[layers.count - 1].sounds.count < LayerDescription.counts.upperBound {
          layers[layers.count - 1].sounds.append(sound)
          layers[layers.count - 1].loops.append(take.loop)
        } else {
          notes.append("\(take.source) left out: \(LayerDescription.counts.upperBound) sounds take turns already")
        }
        continue
      }
      let upTo = Float((take.high * 1_000).rounded() / 1_000)
      guard upTo > layers.last?.upTo ?? 0 else {
        notes.append("\(take.source) left out: another sound has its velocities")
        continue
      }
      if let bounds, take.low < bounds.high - 0.01 {
        notes.append("\(take.source) only sounds above the layer below it")
      }
      layers.append(ImportedLayer(upTo: upTo, gain: take.gain, sounds: [sound], loops: [take.loop]))
      bounds = (take.low, take.high)
    }
    if layers.count > LayerDescription.counts.upperBound {
      notes.append("its softest layers were left out: \(LayerDescription.counts.upperBound) are the most")
      layers.removeFirst(layers.count - LayerDescription.counts.upperBound)
    }
    if layers.isEmpty {
      layers = [ImportedLayer(gain: takes[0].gain, sounds: [takes[0].sound], loops: [takes[0].loop])]
    }
    layers[layers.count - 1].upTo = 1
    return notes
  }
}
