import JamCore

/// The sound of a demo beat: the hits of one player, at level 0 dB and before anything limits the
/// mix.
///
/// It follows the room: velocity counts squared, layers and takes, gain, pan, `start`, `decay`,
/// held pads, chokes and voices: of hits of one choke group on one step the last pad is heard. It
/// leaves out random variations, transposition and stretch. Hits that another cuts off fade within
/// 2 ms, as in the engine; others within 5 ms, where the engine has its own fades.
/// Thread: any; not real-time safe.
struct DemoMix {
  private let kit: LoadedKit
  private let beat: DemoBeat
  private var left: [Float]
  private var right: [Float]
  private var turns: [Pad: Int] = [:]

  private static let fadeFrames = 240
  private static let cutFrames = 96

  /// - Parameter beat: of the same kit.
  init(of kit: LoadedKit, _ beat: DemoBeat) {
    self.kit = kit
    self.beat = beat
    left = Array(repeating: 0, count: Int(beat.duration.count))
    right = left
    for (index, hit) in beat.hits.enumerated() { add(hit, at: index) }
  }

  /// The sound is as long as the beat: sounds that ring on after its end are cut off.
  var sound: Sound {
    var values: [Float] = []
    values.reserveCapacity(left.count * 2)
    for n in left.indices { values += [left[n], right[n]] }
    return Sound(interleaved: values, channels: 2, rate: Int(Frames.perSecond))
  }

  private mutating func add(_ hit: DemoBeat.Hit, at index: Int) {
    let layers = kit.layers(hit.pad)
    guard let settings = kit.kit[hit.pad]?.settings, let last = layers.last else { return }
    let layer = layers.first { hit.velocity.value <= $0.upTo } ?? last
    let turn = turns[hit.pad, default: 0]
    turns[hit.pad] = turn + 1
    let view = layer.sounds[turn % layer.sounds.count].view
    let gain = hit.velocity.value * hit.velocity.value * Decibels.gain(layer.gain) * Decibels.gain(settings.gain)
    let pan = PanGains(pan: settings.pan)
    let start = Int(beat.frame(ofStep: hit.step).count)
    let skipped = Int(settings.start * 48)
    let length = min(Int(view.frameCount) - skipped, left.count - start)
    let ended = self.end(of: hit, at: index, settings)
    let (end, fadeFrames) = (ended.frame - start, ended.isCut ? Self.cutFrames : Self.fadeFrames)
    let right = view.isStereo ? view.right : view.left
    for n in 0..<max(0, min(length, end + fadeFrames)) {
      let fade = n < end ? 1 : 1 - Float(n - end) / Float(fadeFrames)
      self.left[start + n] += view.left[skipped + n] * gain * pan.left * fade
      self.right[start + n] += right[skipped + n] * gain * pan.right * fade
    }
  }

  /// The frame on which the hit ends: by its decay, its release, the next hit of its pad or of its
  /// choke group; and whether that hit cuts it off.
  private func end(
    of hit: DemoBeat.Hit, at index: Int, _ settings: PadSettings
  ) -> (frame: Int, isCut: Bool) {
    var end = left.count
    if settings.decay > 0 { end = Int(beat.frame(ofStep: hit.step).count) + Int(settings.decay * 48) }
    if let held = hit.held { end = min(end, Int(beat.frame(ofStep: hit.step + held).count)) }
    var left = Int(settings.voices)
    for later in beat.hits[(index + 1)...] {
      if later.pad == hit.pad {
        left -= 1
      } else if settings.choke > 0, kit.kit[later.pad]?.settings.choke == settings.choke {
        left = 0
      }
      guard left <= 0 else { continue }
      let cut = Int(beat.frame(ofStep: later.step).count)
      return cut < end ? (cut, true) : (end, false)
    }
    return (end, false)
  }
}
