internal import Glibc
internal import JamCommand
internal import JamCore
internal import JamWire

/// A recording of eight players, which is rendered as fast as the machine can.
struct RenderedHour {
  private let score: String
  private let folder: String

  private static let names = ["ann", "bob", "cid", "dan", "eve", "fay", "gus", "hal"]

  init(minutes: Int, in folder: String) throws(ChildProcess.Failure) {
    self.folder = folder
    score = "\(folder)/hour.score"
    guard let file = fopen(score, "w") else { throw ChildProcess.Failure(description: "no score could be written") }
    defer { fclose(file) }
    func write(_ frame: Frames, _ messages: [OSCMessage]) {
      let bytes = ScoreWriter.encode(ScoreBundle(frame: frame, messages: messages))
      _ = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
    }
    // A lower gain, so that eight players together are not too loud.
    write(.zero, RenderedHour.names.map { OSCMessage("/player/\($0)/gain", .float(-14)) })
    var seed: UInt64 = 1
    func random(_ bound: UInt64) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((seed >> 33) % bound)
    }
    for eighth in 1..<max(2, minutes * 60 * 8) {
      let hits = RenderedHour.names.filter { _ in random(2) == 0 }.map { name in
        OSCMessage("/player/\(name)/pad/\(1 + random(16))", .float(0.3 + Float(random(50)) / 100))
      }
      if !hits.isEmpty { write(Frames(Int64(eighth) * 6_000), hits) }
    }
  }

  func render(stems: Bool) throws(ChildProcess.Failure) -> ChildProcess.Usage {
    let (mix, parts) = ("\(folder)/hour.wav", "\(folder)/stems")
    defer { for path in [mix, parts] { BenchFolder.remove(path) } }
    let more = stems ? ["--stems", parts, "--stem-format", "24"] : []
    let usage = try ChildProcess("render", ["render", score, "-o", mix] + more, program: TestedProgram.path())
      .end()
    guard usage.isSuccess else {
      throw ChildProcess.Failure(description: "the hour could not be rendered: are there 12 GiB free in /tmp?")
    }
    return usage
  }
}
