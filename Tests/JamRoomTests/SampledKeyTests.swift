import Glibc
import JamCore
import JamEngine
import JamKit
import JamRealtime
import Testing

@testable import JamRoom

/// Keys that play recorded sounds: what is heard, told and kept of them.
@Suite struct SampledKeyTests {
  private let a4 = Pad(key: 69)!
  private let c5 = Pad(key: 72)!

  private static func instrument(_ id: String = "tones") -> Instrument {
    Instrument(
      id: id, name: "Tones", category: "keys", patch: .ofSamples,
      zones: [
        InstrumentZone(root: 69, low: 60, high: 80, gain: -6), InstrumentZone(root: 57, low: 45, high: 59, tune: 50),
      ])
  }

  /// A4 of 440 Hz, twelve seconds long, and A3 of 220 Hz.
  private static func samples(_ id: String = "tones") -> PlayableKit {
    let sounds = [StudioSound.tones(440, frames: 576_000), .tones(220, frames: 576_000)]
    let plain = Studio.kit(id, sounds)
    return PlayableKit(kit: plain.kit, pads: Pad.all.map { plain[$0] }, zones: instrument(id).zones)
  }

  /// - Parameter isThere: whether it can be read.
  private func studio(isThere: Bool = true) throws -> Studio {
    let studio = try Studio(
      Studio.kit("one", [StudioSound.constant(0.25, frames: 4_800)]),
      instruments: Instruments([.standard, Self.instrument(), Self.instrument("others")]))
    let all = ["tones", "others"].map { Self.samples($0) }
    studio.answers.kit = { id throws(KitError) in
      guard isThere, let samples = all.first(where: { $0.kit.id == id }) else { throw KitError(id, .noSuchFile) }
      return samples
    }
    return studio
  }

  private func cents(_ studio: Studio, _ frames: Range<Int>, of hertz: Double) -> Double {
    Measure.cents(Measure.frequency(studio.left[frames]) / hertz)
  }

  private func peak(_ studio: Studio, _ frames: Range<Int>) -> Float {
    studio.left[frames].reduce(0) { max($0, abs($1)) }
  }

  @Test("a key plays its zone's sound at its own pitch, within a cent", arguments: [60, 69, 70, 72, 80, 45, 57, 59])
  func pitch(note: Int) throws {
    let studio = try studio()
    studio.set(.instrument, .text("tones"))
    studio.send(.hit(Pad(key: note)!, .full), at: 1_000)
    studio.run(until: 60_000)
    let octaves = (Double(note - 69) + (note < 60 ? 0.5 : 0)) / 12
    let hertz = 440 * exp2(octaves)
    #expect(abs(cents(studio, 4_000..<60_000, of: hertz)) < 1, "\(cents(studio, 4_000..<60_000, of: hertz)) cents")
    #expect(studio.told.contains { $0.event == .value(.instrument, .text("tones")) })
  }

  @Test("a key in no zone is as silent as an empty pad, and its step is refused")
  func silent() throws {
    let studio = try studio()
    studio.expectRefusals()
    studio.set(.instrument, .text("tones"))
    studio.send(.hit(Pad(key: 90)!, .full), at: 1_000)
    studio.set(.step(Pad(key: 90)!, 1), .float(1), at: 2_000)
    studio.run(until: 20_000)
    #expect(peak(studio, 0..<20_000) == 0)
    #expect(studio.refusals == [.padEmpty(Pad(key: 90)!)])
  }

  @Test("let go of, a note fades over the release; the pedal holds it; velocity and gain are heard")
  func playing() throws {
    let studio = try studio()
    studio.set(.instrument, .text("tones"))
    studio.set(.patch(.ampRelease), .float(500), at: 10)
    studio.send(.hit(a4, .full), at: 1_000)
    studio.send(.release(a4), at: 25_000)
    studio.set(.sustain, .bool(true), at: 60_000)
    studio.send(.hit(a4, Velocity(0.5)!), at: 61_000)
    studio.send(.release(a4), at: 62_000)
    studio.set(.sustain, .bool(false), at: 96_000)
    studio.set(.patch(.gain), .float(-6), at: 130_000)
    studio.send(.hit(a4, .full), at: 131_000)
    studio.run(until: 150_000)
    let full = peak(studio, 10_000..<24_000)
    #expect(abs(full - 0.25 * 0.501) < 0.002, "\(full)")
    #expect(abs(peak(studio, 36_900..<37_100) / full - 0.5) < 0.05)
    #expect(peak(studio, 49_200..<60_000) == 0)
    // Half the velocity is 12 dB down, as of a pad.
    #expect(abs(peak(studio, 80_000..<96_000) / full - 0.25) < 0.01)
    #expect(peak(studio, 121_000..<130_000) == 0)
    #expect(abs(peak(studio, 140_000..<150_000) / full - 0.501) < 0.01)
  }

  @Test("what plays stays until the instrument is read; where it cannot be, that is told and no edit")
  func missing() throws {
    let studio = try studio(isThere: false)
    studio.expectRefusals()
    let before = studio.state[studio.ann]?.hands.keys.patch
    studio.set(.instrument, .text("tones"))
    studio.send(.hit(a4, .full), at: 1_000)
    studio.run(until: 10_000)
    #expect(studio.refusals?.count == 1 && studio.state[studio.ann]?.hands.keys.patch == before)
    #expect(peak(studio, 2_000..<10_000) > 0)
    studio.send(.undo, at: 12_000)
    studio.run(until: 20_000)
    #expect(studio.refusals?.last == .nothingToUndo)
  }

  @Test("settings of a synthesiser are refused; those of recorded sounds are set, and all is taken back in turn")
  func settings() throws {
    let studio = try studio()
    studio.expectRefusals()
    studio.set(.instrument, .text("tones"))
    studio.set(.patch(.cutoff), .float(400), at: 100)
    studio.set(.patch(.ampRelease), .float(50), at: 200)
    studio.run(until: 1_200)
    #expect(studio.refusals == [.notOfSamples(.cutoff, instrument: "tones")])
    #expect(studio.state[studio.ann]?.hands.keys.patch.settings.amp.release == 50)
    studio.send(.undo, at: 2_000)
    studio.run(until: 3_000)
    #expect(studio.state[studio.ann]?.hands.keys.patch.settings.amp.release == 150)
    studio.send(.undo, at: 4_000)
    studio.run(until: 5_000)
    #expect(
      studio.state[studio.ann]?.hands.keys.patch.id == "plain" && studio.state[studio.ann]?.hands.keys.samples == nil)
    #expect(studio.state.library.loaded["tones"] == nil)
    studio.send(.redo, at: 6_000)
    studio.run(until: 7_000)
    #expect(studio.state[studio.ann]?.hands.keys.samples?.kit.id == "tones")
  }

  @Test("loops and steps sound on as they were played, whatever the keys play by then")
  func loops() throws {
    let studio = try studio()
    studio.set(.instrument, .text("tones"))
    studio.set(.loopBars, .integer(1))
    studio.send(.loop(.record), at: 100)
    studio.send(.hit(c5, .full), at: 96_000)
    studio.send(.release(c5), at: 108_000)
    studio.set(.instrument, .text("plain"), at: 190_000)
    studio.run(until: 480_000)
    let hertz = 440 * exp2(0.25)
    for bar in 1..<5 {
      let begin = bar * 96_000
      #expect(abs(cents(studio, begin + 1_000..<begin + 11_000, of: hertz)) < 1, "bar \(bar)")
      #expect(peak(studio, begin + 20_000..<begin + 96_000) == 0, "bar \(bar)")
    }
  }

  @Test("chords and the arpeggiator play it")
  func chords() throws {
    let studio = try studio()
    studio.set(.instrument, .text("tones"))
    studio.set(.chordSize, .integer(3))
    studio.send(.hit(Pad(key: 60)!, .full), at: 1_000)
    studio.run(until: 20_000)
    let keys = try #require(studio.state[studio.ann]?.hands.keys)
    #expect(keys.lit == [60, 64, 67])
    #expect(studio.parts.engine.status.soundingVoices == 3)
    studio.send(.release(Pad(key: 60)!), at: 21_000)
    studio.set(.chordSize, .integer(0), at: 22_000)
    studio.set(.arpMode, .text("up"), at: 23_000)
    studio.send(.hit(a4, .full), at: 24_000)
    studio.run(until: 72_000)
    #expect(peak(studio, 50_000..<72_000) > 0.01)
  }

  @Test("a bend of the wheel goes as far as the instrument says")
  func bend() throws {
    let studio = try studio()
    studio.set(.instrument, .text("tones"))
    studio.set(.patch(.bendRange), .float(12), at: 10)
    studio.send(.hit(a4, .full), at: 1_000)
    studio.set(.bend, .float(-1), at: 10_000)
    studio.run(until: 60_000)
    #expect(abs(cents(studio, 16_000..<60_000, of: 220)) < 1)
  }

  @Test("a room that was kept comes back with it, and with the notes of its loops")
  func keeping() throws {
    let kits = RandomKits()
    let room = RandomRoom(kits)
    let ann = try #require(room.join("ann"))
    for command in [
      Command.set(.instrument, .text("tones")), .set(.patch(.ampRelease), .float(300)),
      .set(.step(Pad(key: 64)!, 1), .float(1)),
    ] { #expect(room.step(command, by: ann, at: Moment(arrival: room.now)) == nil) }
    var items: [String: [KeptValue]] = [:]
    let image = RoomImage(of: room.state, at: room.now)
    for item in RoomImage.change(from: nil, to: image).items { items[item.name] = item.values }
    let other = RandomRoom(kits)
    let source = RandomSource(kits)
    other.comeBack(KeptRoom(items, from: source.library))
    let back = other.state.wholePlayer(try #require(other.state.roster.holder(of: PlayerName("ann")!)))
    #expect(back.hands.keys.samples === kits.samples && back.hands.keys.patch == room.state[ann]?.hands.keys.patch)
    #expect(back.hands.keys.patch.settings.amp.release == 300)
    #expect(other.state.library.loaded["tones"] === kits.samples)
    #expect(back.looper.loop.layers.contains { $0?.tracks.contains { !$0.hits.isEmpty } == true })
    #expect(other.problems == [])
  }
}
