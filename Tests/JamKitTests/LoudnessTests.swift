import JamCore
import KitTestSupport
import Testing

@testable import JamKit

@Suite("Loudness")
struct LoudnessTests {
  private func sine(_ decibels: Double, seconds: Double = 1, channels: Int = 1) -> Sound {
    var sound = Sound.tone(997, seconds: seconds, channels: channels)
    let factor = Float(3 * PortableMath.gain(decibels))
    // The right side of a tone is half as loud; here it is the same.
    for n in sound.interleaved.indices { sound.interleaved[n] *= factor * (channels == 2 && n % 2 == 1 ? 2 : 1) }
    return sound
  }

  private func measured(_ sound: Sound) throws -> Double { try #require(Loudness.momentaryMaximum(of: sound)) }

  @Test("a sine of 997 Hz reads as BS.1770 says: its peak on two sides, where a mono sound is played, too")
  func calibration() throws {
    #expect(try abs(measured(sine(-20)) + 20) < 0.1)
    #expect(try abs(measured(sine(-20, channels: 2)) + 20) < 0.1)
    let (mono, stereo) = (Loudness.integrated(of: sine(-20)), Loudness.integrated(of: sine(-20, channels: 2)))
    #expect(abs(try #require(mono) + 20) < 0.1)
    #expect(abs(try #require(stereo) + 20) < 0.1)
    #expect(Loudness.integrated(of: sine(-200)) == nil)
  }

  @Test("half the window is half the power, and silence has no loudness")
  func short() throws {
    #expect(try abs(measured(sine(-20, seconds: 0.2)) + 23.01) < 0.15)
    #expect(Loudness.momentaryMaximum(of: sine(-200)) == nil)
  }

  @Test("a pad's gain and its layer's count, and the mean is of all pads that are heard")
  func gains() throws {
    let folder = try TemporaryFolder()
    try folder.write(try sine(-20).file(), to: "kit/a.flac")
    try folder.write(
      """
      { "format": 1, "name": "Kit", "pads": [
        { "pad": 1, "name": "A", "file": "a.flac" },
        { "pad": 4, "name": "B", "gain": 3, "layers": [{ "gain": -9, "files": ["a.flac"] }] }] }
      """, to: "kit/kit.json")
    let loudness = KitLoudness(of: try KitFolder(folder.path + "/kit").load())
    #expect(loudness.sounds.map(\.pad.number) == [1, 4])
    let values = loudness.sounds.compactMap(\.loudness)
    #expect(abs(values[0] - values[1] - 6) < 0.01)
    let mean = try #require(loudness.mean)
    #expect(abs(mean - values[0] + 3) < 0.01)
  }

  @Test("every shipped kit's demo beat is as loud as the others', and needs no limiter")
  func shipped() throws {
    for folder in try KitFolder.folders(in: ShippedKits.path) {
      let loudness = KitLoudness(of: try folder.load())
      let beat = try #require(loudness.beat)
      #expect(abs(beat - BeatLoudness.target) <= BeatLoudness.tolerance, "\(folder.id): \(beat) LUFS")
      #expect(loudness.beatPeak <= -1.4, "\(folder.id): \(loudness.beatPeak) dBTP")
    }
  }

  @Test("a demo beat counts velocity squared, cuts a pad's own voices, and lets others ring")
  func beat() throws {
    let folder = try TemporaryFolder()
    try folder.write(try sine(-20, seconds: 3).file(), to: "kit/a.flac")
    func peak(voices: Int, gain: Int) throws -> Double {
      try folder.write(
        """
        { "format": 1, "name": "Kit", "pads": [
          { "pad": 1, "name": "A", "category": "kick", "voices": \(voices), "gain": \(gain), "file": "a.flac" }] }
        """, to: "kit/kit.json")
      return KitLoudness(of: try KitFolder(folder.path + "/kit").load()).beatPeak
    }
    // A tone that goes on: where it cuts itself it overlaps for a moment only, else it piles up.
    let cut = try peak(voices: 1, gain: 0)
    #expect(cut >= -20.1 && cut <= -13.9)
    #expect(try abs(cut - peak(voices: 1, gain: -6) - 6) < 0.05)
    #expect(try peak(voices: 8, gain: 0) > cut + 1)
  }
}
