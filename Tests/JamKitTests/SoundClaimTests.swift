import JamCore
import KitTestSupport
import Testing

@testable import JamKit

/// The tests of shipped sounds are tests themselves: what is no kick must not pass for one.
@Suite("Claims of sounds")
struct SoundClaimTests {
  private static let checked = PadCategory.allCases.filter { ![.other, .fx].contains($0) }

  @Test("white noise is nothing of all this, steady or fading", arguments: checked, [0.0, -120])
  func noise(category: PadCategory, decibelsPerSecond: Double) {
    let portrait = SoundPortrait(Self.noise(decibelsPerSecond))
    if category == .loop, decibelsPerSecond == 0 { return }
    #expect(!SoundClaim.claims(of: category).objections(to: portrait).isEmpty)
  }

  @Test(
    "sounds of one category do not pass for another",
    arguments: [
      (PadCategory.kick, [PadCategory.snare, .hat, .clap, .cymbal, .chord, .voice, .riser, .lead]),
      (.snare, [.kick, .hat, .cymbal, .tom, .bass, .chord, .lead, .voice, .riser]),
      (.clap, [.kick, .snare, .hat, .cymbal, .tom, .bass, .riser, .impact]),
      (.hat, [.kick, .snare, .clap, .tom, .bass, .chord, .lead, .voice, .riser, .impact]),
      (.cymbal, [.kick, .snare, .tom, .bass, .chord, .lead, .voice, .riser, .impact]),
      // A skin has several pitches, and so may a drum pass for a chord.
      (.tom, [.snare, .hat, .clap, .cymbal, .voice, .riser]),
      (.bass, [.snare, .hat, .clap, .cymbal, .lead, .riser, .voice]),
      (.chord, [.kick, .snare, .hat, .clap, .cymbal, .tom, .riser]),
      (.voice, [.kick, .snare, .hat, .clap, .cymbal, .bass, .riser]),
      (.riser, [.kick, .snare, .hat, .clap, .cymbal, .tom, .impact, .bass]),
      (.impact, [.snare, .hat, .clap, .cymbal, .lead, .voice, .riser]),
    ])
  func others(category: PadCategory, others: [PadCategory]) {
    for pad in ShippedKits.pads where pad.description.category == category {
      for other in others where !(Self.pitched.contains(pad.testDescription) && other == .lead) {
        #expect(
          !SoundClaim.claims(of: other).objections(to: pad.portrait).isEmpty, "\(pad.testDescription) as \(other)")
      }
    }
  }

  /// A ride's bell has a pitch.
  private static let pitched: Set = ["room/ride-bell.flac", "punchy-analogue/ride.flac"]

  @Test("one note is no chord, however rich in overtones")
  func oneNote() {
    var saw = Sound.tone(seconds: 1)
    for n in saw.interleaved.indices {
      saw.interleaved[n] = Float((Double(n) * 220 / 48_000).truncatingRemainder(dividingBy: 1) - 0.5)
    }
    #expect(SoundPortrait(saw).notes.count == 1)
  }

  @Test("a copy that is softer, or with other noise, is alike; one half a tone higher is not")
  func distance() {
    let noise = SoundPortrait(Self.noise(-60))
    #expect(noise.distance(to: SoundPortrait(Self.noise(-60, seed: 2))) < 4)
    var softer = Sound.faded()
    softer.interleaved = softer.interleaved.map { $0 / 2 }
    let tone = SoundPortrait(.faded())
    #expect(tone.distance(to: SoundPortrait(softer)) < 0.1)
    #expect(tone.distance(to: SoundPortrait(.faded(466.2))) > 6)
  }

  @Test("clicks, offsets and too little headroom are told")
  func clean() {
    #expect(SoundClaim.clean.objections(to: SoundPortrait(.faded())) == [])
    var loud = Sound.faded()
    loud.interleaved = loud.interleaved.map { $0 * 2.9 }
    var offset = Sound.faded()
    offset.interleaved = offset.interleaved.map { $0 + 0.002 }
    for sound in [loud, offset, Sound.tone(441).part(30..<8_000)] {
      #expect(!SoundClaim.clean.objections(to: SoundPortrait(sound)).isEmpty)
    }
  }

  private static func noise(_ decibelsPerSecond: Double, seed: UInt32 = 1) -> Sound {
    var sound = Sound(interleaved: [], channels: 1, rate: 48_000)
    var random = seed
    sound.interleaved = (0..<48_000).map { n in
      random = random &* 1_664_525 &+ 1_013_904_223
      return Float(PortableMath.gain(decibelsPerSecond * Double(n) / 48_000)) * (Float(random >> 8) / 16_777_216 - 0.5)
    }
    return sound
  }
}
