import JamCore
import JamRealtime

@testable import JamEngine

/// Random but repeatable commands of every kind, as a wild room would send them.
struct RandomJam {
  struct Entry {
    var frame: Int64
    var make: (Rig) -> EngineAction
  }

  static let sounds: [Sound] = (0..<12).map { i in
    switch i % 4 {
    case 0: Sound.sine(Double(110 + i * 37), frames: 3_000 + i * 700, level: 0.3)
    case 1: Sound.noise(0.3, frames: 500 + i * 400, seed: UInt64(i), isStereo: true)
    case 2: Sound.sine(Double(60 + i * 5), frames: 12_000, level: 0.5, fades: false)
    default: Sound.noise(0.1, frames: 7, seed: UInt64(i))
    }
  }

  static let maps: [TempoMap] = [
    TempoMap(tempo: .standard),
    TempoMap(tempo: Tempo(clamping: 174), signature: TimeSignature(beatsPerBar: 7, beatUnit: 8)!),
  ]

  /// `count` commands over about `frames` frames, in the order of their frames.
  static func entries(count: Int, frames: Int, seed: UInt64, buses: Int = 8) -> [Entry] {
    var random = Random(seed: seed)
    let times = (0..<count).map { _ in Int64(random.below(frames)) }.sorted()
    return times.map { frame in Entry(frame: frame, make: action(&random, buses: buses)) }
  }

  /// Of few keys, so that they meet; of every mode and most waves.
  static let patches: [PatchView] = (0..<8).map { i in
    var patch = PatchSettings()
    patch.mode = PatchMode.allCases[i % PatchMode.allCases.count]
    patch.first.shape = PatchShape.allCases[i % PatchShape.allCases.count]
    patch.second.level = i % 2 == 0 ? 0 : 0.5
    patch.noise = i % 3 == 0 ? 0.1 : 0
    patch.spread = Float(i) / 8
    patch.filter = PatchFilter.allCases[i % PatchFilter.allCases.count]
    patch.glide = i % 3 == 1 ? 40 : 0
    patch.amp.release = Float(20 + 40 * i)
    let content = UnsafeMutablePointer<PatchView.Content>.allocate(capacity: 1)
    // As long as the process: whoever renders reads it.
    content.initialize(to: PatchView.Content(settings: patch, instrument: UInt32(i / 2)))
    return PatchView(content)
  }

  private static func note(_ random: inout Random, _ id: PlayerID) -> (Rig) -> EngineAction {
    let key = Pad(key: 40 + random.below(8))!
    let patch = patches[random.below(patches.count)]
    let (velocity, amount) = (0.1 + random.unit() * 0.9, random.unit())
    switch random.below(12) {
    case 0..<6:
      let hold = Int32(random.below(2) == 0 ? random.below(6_000) : 0)
      return { rig in
        guard case .start(var start) = rig.start(sounds[0], bus: id.index, isGated: true) else { preconditionFailure() }
        start.pad = key
        start.patch = patch
        start.velocity = velocity
        start.holdFrames = hold
        return .start(start)
      }
    case 6..<8: return { _ in .release(bus: id, pad: key) }
    case 8: return { _ in .keyHeight(bus: id, pad: key, height: amount) }
    case 9: return { _ in .keyBend(bus: id, pad: key, semitones: amount * 4 - 2) }
    case 10: return { _ in .bend(bus: id, semitones: amount * 4 - 2) }
    default: return { rig in .patch(bus: id, patch, use: rig.use) }
    }
  }

  /// A number that the setting may have.
  private static func effect(_ kind: SettingKind, _ part: Float) -> Float {
    switch kind {
    case .float(let range?, _), .integer(let range?):
      (Float(range.lowerBound) + part * Float(range.upperBound - range.lowerBound))
    case .choice(let words): Float(Int(part * Float(words.count)))
    default: part < 0.5 ? 0 : 1
    }
  }

  private static func action(_ random: inout Random, buses: Int) -> (Rig) -> EngineAction {
    let bus = UInt8(random.below(buses))
    let pad = random.below(16) + 1
    let id = PlayerID(index: bus)
    switch random.below(100) {
    case 0..<15: return note(&random, id)
    case 15..<20:
      let setting = EffectSetting.allCases[random.below(EffectSetting.allCases.count)]
      let number = effect(setting.row.kind, random.unit())
      return { _ in .effect(id, setting, number) }
    case 20..<22:
      let setting = RoomEffectSetting.allCases[random.below(RoomEffectSetting.allCases.count)]
      let number = effect(setting.row.kind, random.unit())
      return { _ in .roomEffect(setting, number) }
    case 22..<70:
      let sound = sounds[random.below(sounds.count)]
      let rate: Float = random.below(3) == 0 ? 1 : 0.5 + random.unit() * 2
      let gain = PanGains(left: random.unit(), right: random.unit())
      let start = Int32(random.below(4) == 0 ? random.below(2_000) : 0)
      let decay = Int32(random.below(4) == 0 ? random.below(5_000) : 0)
      let isGated = random.below(3) == 0
      let choke = UInt8(random.below(3) == 0 ? random.below(4) : 0)
      let voices = UInt8(random.below(8) + 1)
      let isLooped = isGated && random.below(3) == 0
      let isKick = random.below(4) == 0
      return { rig in
        guard
          case .start(var hit) = rig.start(
            sound, bus: bus, pad: pad, gain: gain, rate: rate, startFrame: start, decay: decay, isGated: isGated,
            isLooped: isLooped, choke: choke, voices: voices)
        else { preconditionFailure() }
        hit.isKick = isKick
        return .start(hit)
      }
    case 70:
      let ratio = 0.5 + random.unit() * 1.5
      return { _ in .pitch(ratio: ratio) }
    case 71:
      let amount = random.below(2) == 0 ? 0 : random.unit()
      return { _ in .modulation(amount) }
    case 72:
      let pads = random.below(3) == 0 ? UInt16(truncatingIfNeeded: random.next()) : 0
      return { _ in .padSolo(bus: id, pads: pads) }
    case 73:
      let pan = PanGains(pan: random.signed())
      let level = random.unit() * 2
      let rate: Float = random.below(2) == 0 ? 1 : 0.5 + random.unit()
      return { _ in .padShape(bus: id, pad: Pad(pad)!, level: level, pan: pan, rate: rate) }
    case 74..<76:
      let level = random.unit() * 2
      return { _ in .padLevel(bus: id, pad: Pad(pad)!, level: level) }
    case 76..<85: return { _ in .release(bus: id, pad: Pad(pad)!) }
    case 85..<88: return { _ in .cancel(bus: id, pad: Pad(pad)!) }
    case 88: return { _ in .silence(bus: id) }
    case 89: return { _ in .releaseAll(bus: id) }
    case 90: return { _ in .openBus(id) }
    case 91..<94:
      let gain = random.unit() * 1.5
      let pan = PanGains(pan: random.signed(), isStereo: true)
      return { _ in .bus(id, gain: gain, pan: pan) }
    case 94..<96:
      let gain = random.unit() * 2
      return { _ in .master(gain: gain) }
    case 96:
      let mask = random.below(3) == 0 ? random.next() : 0
      return { _ in .solo(buses: mask) }
    case 97:
      let map = maps[random.below(maps.count)].view
      let revision = random.next()
      return { _ in .tempoMap(map, revision: revision) }
    case 98:
      let gain = random.unit()
      return { _ in .click(gain: gain) }
    default: return random.below(20) == 0 ? { _ in .silenceAll } : { _ in .releaseAll(bus: id) }
    }
  }
}

extension Rig {
  /// Sends each entry `lead` frames before the engine could be late for it, and renders `frames`; nil sends all at the start.
  func play(_ entries: [RandomJam.Entry], frames: Int, lead: Int64?) -> (mix: [Float], click: [Float]) {
    var next = 0
    var mix: [Float] = []
    var click: [Float] = []
    while mix.count < frames * 2 {
      let horizon = lead.map { nextFrame + Frames.perBuffer + Engine.latency.count + $0 } ?? .max
      while next < entries.count && entries[next].frame < horizon {
        send(entries[next].make(self), at: entries[next].frame)
        next += 1
      }
      render()
      let plain = read(from: tape.tape.end.count - 120, frames: 120)
      let both = read(from: tape.tape.end.count - 120, frames: 120, click: true)
      for i in 0..<120 {
        mix.append(plain.left[i])
        mix.append(plain.right[i])
        click.append(both.left[i] - plain.left[i])
      }
    }
    return (mix, click)
  }
}
