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

  @Test("a sine of 997 Hz reads as BS.1770 says: 3.01 below its peak on one side, its peak on two")
  func calibration() throws {
    #expect(try abs(measured(sine(-20)) + 23.01) < 0.1)
    #expect(try abs(measured(sine(-20, channels: 2)) + 20) < 0.1)
  }

  @Test("half the window is half the power, and silence has no loudness")
  func short() throws {
    #expect(try abs(measured(sine(-20, seconds: 0.2)) + 26.02) < 0.15)
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

  @Test("every shipped kit is about as loud as the others")
  func shipped() throws {
    for folder in try KitFolder.folders(in: ShippedKits.path) {
      let mean = try #require(KitLoudness(of: try folder.load()).mean)
      #expect(abs(mean - KitLoudness.target) <= KitLoudness.tolerance, "\(folder.id): \(mean) LUFS")
    }
  }
}
