internal import JamCore
internal import JamKit

/// Renders one layer of a sound and adds it to a buffer.
struct LayerRenderer {
  private let layer: LayerRecipe
  private let count: Int
  private let start: Int

  /// - Parameter count: the whole sound's frames at the forge's rate.
  init(_ layer: LayerRecipe, count: Int) {
    self.layer = layer
    start = min(count, Int(layer.at * Forge.rate / 1000))
    self.count = count - start
  }

  func add(to sum: inout StereoBuffer) {
    var buffer = source()
    shape(&buffer)
    let gain = PortableMath.gain(layer.level)
    let pan = PanGains(pan: Float(layer.pan), isStereo: true)
    for n in 0..<count {
      sum.left[start + n] += buffer.left[n] * gain * Double(pan.left)
      sum.right[start + n] += buffer.right[n] * gain * Double(pan.right)
    }
  }

  private func source() -> StereoBuffer {
    var buffer = StereoBuffer(count: count)
    switch layer.source {
    case .noise: addNoise(to: &buffer)
    case .modes(let modes): addModes(modes, to: &buffer)
    case .cluster(let partials, let low, let high): addCluster(partials, low, high, to: &buffer)
    case .sine, .triangle, .saw, .pulse, .fm: addVoices(to: &buffer)
    }
    return buffer
  }

  private func shape(_ buffer: inout StereoBuffer) {
    let amplitude = layer.amplitude.render(count: count)
    buffer.process { left, right, n in
      left *= amplitude[n]
      right *= amplitude[n]
    }
    if let drive = layer.drive { Forge.drive(&buffer, decibels: drive) }
    for filter in layer.filters { Forge.filter(&buffer, filter) }
    guard !layer.bank.isEmpty else { return }
    var sum = StereoBuffer(count: count)
    for filter in layer.bank {
      var part = buffer
      Forge.filter(&part, filter)
      let gain = PortableMath.gain(filter.level)
      sum.process { left, right, n in
        left += part.left[n] * gain
        right += part.right[n] * gain
      }
    }
    buffer = sum
  }

  private func addNoise(to buffer: inout StereoBuffer) {
    var middle = Noise(seed: layer.seed)
    var side = Noise(seed: layer.seed + 1_000_003)
    // The power is constant, whatever the width.
    let scale = 1 / (1 + layer.width * layer.width).squareRoot()
    buffer.process { left, right, _ in
      let m = middle.next()
      let s = side.next() * layer.width
      left = (m + s) * scale
      right = (m - s) * scale
    }
  }

  private func addVoices(to buffer: inout StereoBuffer) {
    let ratios = pitchRatios()
    let unison = layer.unison ?? UnisonRecipe(voices: 1, cents: 0, width: 0)
    var phases = Noise(seed: layer.seed)
    let scale = 1 / Double(layer.notes.count * unison.voices).squareRoot()
    for note in layer.notes {
      for voice in 0..<unison.voices {
        // The place of the voice among the voices, -1…1.
        let place = unison.voices == 1 ? 0 : Double(voice) / Double(unison.voices - 1) * 2 - 1
        let hertz = note * PortableMath.ratio(semitones: place * unison.cents / 200)
        // A single voice starts at its zero crossing. Several voices start at random phases, so
        // that their starts do not add up.
        let phase = unison.voices == 1 && layer.notes.count == 1 ? 0 : phases.next() * 0.5 + 0.5
        var oscillator = Oscillator(layer.source, phase: phase == 1 ? 0 : phase, count: count)
        let pan = PanGains(pan: Float(place * unison.width))
        let left = Double(pan.left) * scale
        let right = Double(pan.right) * scale
        for n in 0..<count {
          let value = oscillator.next(step: min(hertz * ratios[n] / Forge.rate, 0.45), frame: n)
          buffer.left[n] += value * left
          buffer.right[n] += value * right
        }
      }
    }
  }

  private func pitchRatios() -> [Double] {
    var ratios = layer.bend.render(count: count)
    guard let vibrato = layer.vibrato else { return ratios }
    let rise = max(1, vibrato.riseMilliseconds * Forge.rate / 1000)
    for n in 0..<count {
      let depth = min(1, Double(n) / rise) * vibrato.cents / 100
      let swing = PortableMath.sine(turns: vibrato.hertz * Double(n) / Forge.rate)
      ratios[n] *= PortableMath.ratio(semitones: depth * swing)
    }
    return ratios
  }

  private func addModes(_ modes: [SourceRecipe.Mode], to buffer: inout StereoBuffer) {
    let ratios = pitchRatios()
    for note in layer.notes {
      for mode in modes where note * mode.ratio < Forge.rate * 0.23 {
        var oscillator = Oscillator(.sine, phase: 0, count: count)
        var gain = PortableMath.gain(mode.level)
        let fade = PortableMath.gain(-60 / (mode.decayMilliseconds * Forge.rate / 1000))
        for n in 0..<count where gain > 1e-6 {
          let value = oscillator.next(step: note * mode.ratio * ratios[n] / Forge.rate, frame: n) * gain
          gain *= fade
          buffer.left[n] += value
          buffer.right[n] += value
        }
      }
    }
  }

  private func addCluster(_ partials: Int, _ low: Double, _ high: Double, to buffer: inout StereoBuffer) {
    let ratios = pitchRatios()
    var chance = Noise(seed: layer.seed)
    let octaves = PortableMath.logarithm(high / low)
    let scale = 1 / Double(partials).squareRoot()
    for partial in 0..<partials {
      // Each partial at a random place within a slot of its own.
      let place = (Double(partial) + chance.next() * 0.5 + 0.5) / Double(partials)
      let hertz = low * PortableMath.ratio(semitones: place * octaves * 12)
      let pan = PanGains(pan: Float(chance.next() * layer.width))
      var oscillator = Oscillator(.sine, phase: (chance.next() + 1) * 0.499, count: count)
      let left = Double(pan.left) * scale
      let right = Double(pan.right) * scale
      for n in 0..<count {
        let value = oscillator.next(step: min(hertz * ratios[n] / Forge.rate, 0.45), frame: n)
        buffer.left[n] += value * left
        buffer.right[n] += value * right
      }
    }
  }
}
