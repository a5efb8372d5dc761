import JamCore
import Testing

@testable import JamEngine

/// A low tone at −6 dBFS has nothing above 2 kHz, whatever happens to it.
@Suite struct SynthClickTests {
  /// −60 dBFS.
  private static let most: Float = 0.001

  private static func low() -> PatchSettings {
    var settings = SynthRig.bare(.sine)
    settings.gain = -6
    settings.amp = PatchEnvelope(attack: 0, decay: 0, sustain: 1, release: 0)
    return settings
  }

  /// What is above 2 kHz in the 100 ms about `event`, which comes 120 ms into a note of 55 Hz.
  private func click(_ settings: PatchSettings = low(), after: Int = 5_777, _ event: (SynthRig) -> Void) -> Float {
    let rig = SynthRig()
    rig.start(settings, 33)
    let before = rig.render(after / 120 * 120).left
    event(rig)
    return Spectrum.peakAbove2kHz(Array(before.suffix(1_800)) + rig.render(4_800).left)
  }

  @Test("a note begins without a click, wherever in its block", arguments: [0, 1, 23, 77, 119])
  func begin(offset: Int) {
    let rig = SynthRig()
    let silence = rig.render(1_200).left
    rig.start(Self.low(), 33, at: Int32(offset))
    let peak = Spectrum.peakAbove2kHz(silence + rig.render(3_600).left)
    #expect(peak < Self.most, "\(FrequencyLines.decibels(Double(peak))) dB")
  }

  @Test("a note that begins at the top of its wave does not click")
  func beginAtTheTop() {
    var settings = Self.low()
    settings.first.shape = .triangle
    settings.spread = 0.5
    settings.second = settings.first
    settings.filter = .low
    settings.cutoff = 200
    settings.tracking = 0
    settings.filterEnvelope = 0
    settings.filterVelocity = 0
    let rig = SynthRig()
    let silence = rig.render(1_200).left
    rig.start(settings, 33)
    let peak = Spectrum.peakAbove2kHz(silence + rig.render(3_600).left)
    #expect(peak < Self.most, "\(FrequencyLines.decibels(Double(peak))) dB")
  }

  /// Places of the event, so that it meets the wave at several phases.
  static let places = [5_160, 5_280, 5_400, 5_520, 5_640, 5_777]

  @Test("a release, a steal and a silence do not click", arguments: places)
  func end(place: Int) {
    let release = click(after: place) { $0.pool.release(bus: 0, key: 60, at: 61) }
    #expect(release < Self.most, "release \(FrequencyLines.decibels(Double(release))) dB")
    let steal = click(after: place) { $0.pool.leave(0, Fade.note, at: 61) }
    #expect(steal < Self.most, "steal \(FrequencyLines.decibels(Double(steal))) dB")
    let silence = click(after: place) { $0.pool.silence(bus: 0, at: 61) }
    #expect(silence < Self.most, "silence \(FrequencyLines.decibels(Double(silence))) dB")
  }

  @Test("a steep decay does not click", arguments: [0, 5, 20])
  func decay(milliseconds: Float) {
    var settings = Self.low()
    settings.amp = PatchEnvelope(attack: 0, decay: milliseconds, sustain: 0.3, release: 10)
    let rig = SynthRig()
    let silence = rig.render(1_200).left
    rig.start(settings, 33)
    let peak = Spectrum.peakAbove2kHz(silence + rig.render(3_600).left)
    #expect(peak < Self.most, "\(FrequencyLines.decibels(Double(peak))) dB")
  }

  @Test("a mono note and a legato one take over without a click", arguments: places)
  func legato(place: Int) {
    for mode in [PatchMode.mono, .legato] {
      for glide: Float in [0, 5] {
        var settings = Self.low()
        settings.mode = mode
        settings.glide = glide
        let peak = click(settings, after: place) { $0.start(settings, 38, key: 61, at: 61) }
        #expect(peak < Self.most, "\(mode) \(glide) \(FrequencyLines.decibels(Double(peak))) dB")
      }
    }
  }

  @Test("another patch, height, level and bend come without a click", arguments: places)
  func change(place: Int) {
    func expect(_ name: String, _ event: (inout PatchSettings) -> Void, from: (inout PatchSettings) -> Void = { _ in })
    {
      var settings = Self.low()
      from(&settings)
      var other = settings
      event(&other)
      let peak = click(settings, after: place) { $0.pool.setPatch(other, instrument: 1, bus: 0) }
      #expect(peak < Self.most, "\(name) \(FrequencyLines.decibels(Double(peak))) dB")
    }
    expect("gain") { $0.gain = -60 }
    expect("level") { $0.first.level = 0 }
    expect("octave") { $0.first.semitones = 12 }
    expect("sub") { $0.subLevel = 0.5 }
    expect("second") {
      $0.second.level = 0.5
      $0.second.shape = .sine
      $0.second.fine = 10
    }
    expect("spread") { $0.spread = 1 }
    expect("triangle to sine") {
      $0.first.shape = .sine
    } from: {
      $0.first.shape = .triangle
      $0.filter = .low
      $0.cutoff = 100
      $0.tracking = 0
      $0.filterEnvelope = 0
    }
    for filter in [PatchFilter.low, .band, .high] {
      expect("filter on: \(filter)") { $0.filter = filter }
      expect("filter off: \(filter)") {
        $0.filter = .off
      } from: {
        $0.filter = filter
      }
      expect("cutoff of \(filter)") {
        $0.cutoff = 20_000
      } from: {
        $0.filter = filter
        $0.cutoff = 30
      }
      expect("resonance of \(filter)") {
        $0.resonance = 1
      } from: {
        $0.filter = filter
        $0.resonance = 0
        $0.cutoff = 110
        $0.gain = -20
      }
    }
    var tall = Self.low()
    tall.filter = .low
    tall.cutoff = 400
    tall.filterHeight = 4
    tall.heightLevel = 1
    tall.heightMix = 1
    tall.second = tall.first
    let jump = click(tall, after: place) { $0.pool.setHeight(1, bus: 0, key: 60) }
    #expect(jump < Self.most * 2, "height \(FrequencyLines.decibels(Double(jump))) dB of two tones")
    let level = click(after: place) { $0.pool.setLevel(0, bus: 0) }
    #expect(level < Self.most, "level \(FrequencyLines.decibels(Double(level))) dB")
    let bend = click(after: place) { $0.pool.setBend(12, bus: 0) }
    #expect(bend < Self.most, "bend \(FrequencyLines.decibels(Double(bend))) dB")
  }

  /// Noise has what is above 2 kHz by itself.
  @Test("a height that jumps comes without a click, whatever it moves", arguments: PatchTarget.allCases)
  func touch(target: PatchTarget) {
    guard target != .noise else { return }
    var settings = Self.low()
    settings.second = settings.first
    settings.gain = -12
    settings.filter = .low
    settings.cutoff = 400
    settings.tracking = 0
    settings.lfoRate = 3
    settings.mod1.source = .height
    settings.mod1.target = target
    for amount in [Float(-0.5), 0.5] {
      settings.mod1.amount = amount
      for place in Self.places {
        let peak = click(settings, after: place) { $0.pool.setHeight(1, bus: 0, key: 60) }
        #expect(peak < Self.most * 2, "\(amount): \(FrequencyLines.decibels(Double(peak))) dB of two tones")
      }
    }
  }

  @Test("the slow oscillator's square does not click in the level")
  func tremolo() {
    var settings = Self.low()
    settings.lfo = .square
    settings.lfoRate = 20
    settings.lfoLevel = 1
    let sound = SynthRig.sound(settings, 33, skip: 4_800, frames: 9_600)
    let peak = Spectrum.peakAbove2kHz(sound)
    #expect(peak < Self.most, "\(FrequencyLines.decibels(Double(peak))) dB")
  }
}
