internal import JamCommand
internal import JamCore

/// Measures how soon a sound that a player brings can be played: from the last byte of its file to
/// the server's answer.
struct OwnSoundBench {
  var lengths = [1, 5, 10, 30, 60]
  var rates = [48_000, 44_100]
  var rounds = 5

  func run() throws(ChildProcess.Failure) -> [BenchRow] {
    let server = try ServerUnderTest()
    var rows: [BenchRow] = []
    for rate in rates {
      for seconds in lengths {
        var times: [Double] = []
        for round in 0...rounds {
          // Each file is different, because a sound that the server knows already is ready at once.
          let file = OwnSoundBench.noise(seconds: seconds, rate: rate, seed: UInt32(rows.count * 100 + round + 1))
          guard
            let answer = LoopbackHTTP.put("/samples/bench", file, port: server.httpPort, withinSeconds: 20),
            answer.text.hasPrefix("HTTP/1.1 201")
          else { throw ChildProcess.Failure(description: "a sound of \(seconds) s was not taken") }
          if round > 0 { times.append(answer.milliseconds) }
        }
        rows.append(
          BenchRow(
            "a sound of \(seconds) s at \(Double(rate) / 1_000) kHz until it can be played", unit: "ms", values: times,
            target: .atMost(100)))
      }
    }
    return rows
  }

  /// Stereo noise as a WAV file of 16 bits. Noise cannot be trimmed, and hardly compressed.
  private static func noise(seconds: Int, rate: Int, seed: UInt32) -> [UInt8] {
    let count = seconds * rate * 4
    func little(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var file = Array("RIFF".utf8) + little(36 + count, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
    file += little(1, 2) + little(2, 2) + little(rate, 4) + little(rate * 4, 4) + little(4, 2) + little(16, 2)
    file += Array("data".utf8) + little(count, 4)
    file.reserveCapacity(file.count + count)
    var state = seed
    for _ in 0..<count / 2 {
      state = state &* 1_664_525 &+ 1_013_904_223
      // A quarter of full scale.
      let value = Int16(truncatingIfNeeded: Int32(bitPattern: state) >> 18)
      file.append(UInt8(truncatingIfNeeded: value))
      file.append(UInt8(truncatingIfNeeded: value >> 8))
    }
    return file
  }
}
