internal import Glibc
internal import JamCommand
internal import JamStream

/// A kit for measuring. Pad 1 is a short burst, which can be located to the frame. The other pads
/// are long and almost silent.
final class BenchKit {
  /// The folder that contains the kit's folder.
  let folder: String

  static let id = "bench"
  static let burstPad = 1
  static let quietPads = 2...16
  /// The length of a quiet sound, in seconds.
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
      [#"{ "pad": 1, "file": "burst.wav", "name": "Burst", "category": "percussion" }"#]
      + BenchKit.quietPads.map {
        #"{ "pad": \#($0), "file": "quiet.wav", "name": "Quiet \#($0)", "category": "other" }"#
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

  /// 3 ms of noise that is not similar to any shifted copy of itself.
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
      return Float(Int32(bitPattern: state)) / 2_147_483_648 * 0.002
    }
  }()

  private static func write(_ sound: [Float], to path: String) throws(StreamError) {
    var writer = try WAVWriter(path: path, channels: 1)
    try sound.withUnsafeBufferPointer { samples throws(StreamError) in try writer.append(samples) }
    try writer.finish()
  }
}
