import Glibc
import JamDevice
import Testing

@Suite("ALSA player")
struct ALSAPlayerTests {
  private func ramp(_ frames: Int) -> [Float] { (0..<frames * 2).map { Float($0) / Float(frames * 2) - 0.5 } }

  @Test("the null device takes everything at once and holds nothing")
  func null() throws {
    var player = try ALSAPlayer(device: "null")
    #expect(player.rate == 48_000)
    #expect(try player.write(ramp(4_000), count: 4_000, timeoutMilliseconds: 100) == 4_000)
    #expect(player.underruns == 0)
  }

  @Test("what is written to a file device is in the file, bit for bit")
  func file() throws {
    let file = TemporaryFile(".raw")
    let sound = ramp(2_400)
    do {
      var player = try ALSAPlayer(device: "file:FILE='\(file.path)',FORMAT=raw")
      #expect(try player.write(sound, count: 2_400, timeoutMilliseconds: 1_000) == 2_400)
      player.drain()
    }
    #expect(file.floats == sound)
  }

  @Test("an unknown device is named in the error, with the devices that there are")
  func unknown() {
    #expect {
      _ = try ALSAPlayer(device: "kazoo")
    } throws: { error in
      guard let error = error as? DeviceError, case .unknown("kazoo", let known) = error else { return false }
      return known.contains("null") && error.description.contains("no ALSA device 'kazoo'")
        && error.description.contains("null")
    }
  }

  @Test("names that ALSA cannot even parse are unknown devices too", arguments: ["", "hw:99", "a:b:c,,", "file:"])
  func nonsense(name: String) {
    #expect(throws: DeviceError.self) { _ = try ALSAPlayer(device: name) }
  }
}
