import Glibc
import JamCore
import JamNet
import JamStream

/// A server of its own for a bench: on loopback, on free ports, with a kit that is easy to hear.
///
/// Thread: one.
final class ServerUnderTest {
  let process: ChildProcess
  let oscPort: UInt16
  let httpPort: UInt16
  private let kit: BenchKit

  /// Starts it and waits until it is ready.
  init() throws(ChildProcess.Failure) {
    kit = try BenchKit()
    process = try ChildProcess([
      "serve", "--osc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--media", "127.0.0.1:0", "--alsa", "none", "--kits",
      kit.folder,
    ])
    var ports: [String: UInt16] = [:]
    if let line = process.line(withinSeconds: 20), line.hasPrefix("ready ") {
      for word in line.split(separator: " ") {
        let parts = word.split(separator: "=")
        if parts.count == 2 { ports[String(parts[0])] = UInt16(parts[1]) }
      }
    }
    guard let osc = ports["osc"], let http = ports["http"] else {
      throw ChildProcess.Failure(description: "the server did not get ready")
    }
    oscPort = osc
    httpPort = http
  }

  /// The address of a stream.
  func url(_ target: String) -> String { "http://127.0.0.1:\(httpPort)\(target)" }
}

/// A kit for measuring: pad 1 is a short burst whose moment can be found to the frame, the others are long and all but silent.
final class BenchKit {
  /// Holds the kit's folder.
  let folder: String

  static let id = "bench"
  static let burstPad = 1
  static let quietPads = 2...16
  /// How long a quiet sound sounds.
  static let quietSeconds = 8

  init() throws(ChildProcess.Failure) {
    var name = Array("/tmp/bandshell-bench-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { throw ChildProcess.Failure(description: "no temporary folder") }
    folder = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let kit = "\(folder)/\(BenchKit.id)"
    mkdir(kit, 0o700)
    do throws(StreamError) {
      try BenchKit.write(BenchKit.burst, to: "\(kit)/burst.wav")
      try BenchKit.write(BenchKit.quiet, to: "\(kit)/quiet.wav")
    } catch {
      throw ChildProcess.Failure(description: "\(error)")
    }
    let pads =
      [#"{ "pad": 1, "file": "burst.wav", "name": "Burst", "category": "click" }"#]
      + BenchKit.quietPads.map {
        #"{ "pad": \#($0), "file": "quiet.wav", "name": "Quiet \#($0)", "category": "noise" }"#
      }
    let text = """
      { "format": 1, "name": "Bench", "category": "test", "description": "For measuring.",
        "colours": ["#000000", "#ffffff"], "credits": "None.", "pads": [\(pads.joined(separator: ", "))] }
      """
    guard let file = fopen("\(kit)/kit.json", "w") else {
      throw ChildProcess.Failure(description: "no kit could be written")
    }
    fputs(text, file)
    fclose(file)
  }

  deinit {
    for name in ["burst.wav", "quiet.wav", "kit.json"] { unlink("\(folder)/\(BenchKit.id)/\(name)") }
    rmdir("\(folder)/\(BenchKit.id)")
    rmdir(folder)
  }

  /// 3 ms of noise that resembles no shifted copy of itself.
  static let burst: [Float] = {
    var state: UInt32 = 0x1357_9bdf
    return (0..<144).map { i in
      state = state &* 1_664_525 &+ 1_013_904_223
      let noise = Float(Int32(bitPattern: state)) / 2_147_483_648
      return noise * 0.6 * (1 - Float(i) / 144)
    }
  }()

  private static let quiet: [Float] = {
    var state: UInt32 = 1
    return (0..<quietSeconds * 48_000).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: state)) / 2_147_483_648 * 0.000_1
    }
  }()

  private static func write(_ sound: [Float], to path: String) throws(StreamError) {
    var writer = try WAVWriter(path: path, channels: 1)
    try sound.withUnsafeBufferPointer { samples throws(StreamError) in try writer.append(samples) }
    try writer.finish()
  }
}
