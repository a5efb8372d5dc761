internal import Glibc

/// The same mono work in Debian's scsynth, offline: `PlayBuf` (cubic) at rate ≠ 1 → `Pan2` → `Out`,
/// one synth for each voice; or `Saw` → `RLPF` × `EnvGen` → `Pan2` → `Out`.
///
/// The score and the synth definition are written here, byte by byte, so that only
/// `supercollider-server` has to be installed.
struct ScsynthBench {
  var voices = 2_000
  var seconds = 5
  var isNote = false

  enum Failure: Error, CustomStringConvertible {
    case missing
    case failed(status: Int32)
    case file(String)

    var description: String {
      switch self {
      case .missing: "scsynth is not installed: apt-get install --no-install-recommends supercollider-server"
      case .failed(let status): "scsynth ended with status \(status)"
      case .file(let path): "cannot write \(path)"
      }
    }
  }

  /// The voices that one core plays in real time. The CPU time without voices is subtracted.
  func measure() throws(Failure) -> Double {
    let idle = try run(voices: 0)
    let busy = try run(voices: voices)
    return Double(voices * seconds) / max(busy - idle, 1e-9)
  }

  /// - Returns: the CPU seconds that scsynth spent on the score.
  private func run(voices: Int) throws(Failure) -> Double {
    var template = Array("/tmp/bandshell-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .file("/tmp/bandshell-bench-…") }
    let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let score = folder + "/score.osc"
    let sound = folder + "/out.wav"
    defer {
      unlink(score)
      unlink(sound)
      rmdir(folder)
    }
    guard let file = fopen(score, "wb") else { throw .file(score) }
    let bytes = scoreBytes(voices: voices)
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count else { throw .file(score) }
    return try spawn([
      "scsynth", "-N", score, "_", sound, "48000", "WAV", "float", "-o", "2", "-z", "128", "-n", "20000", "-m",
      "262144",
      "-V", "-1",
    ])
  }

  private func spawn(_ arguments: [String]) throws(Failure) -> Double {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    guard posix_spawnp(&child, arguments[0], &actions, nil, words, environ) == 0 else { throw .missing }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(child, &status, 0, &usage) < 0 && errno == EINTR {}
    guard status == 0 else { throw status >> 8 == 127 ? .missing : .failed(status: status) }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  private func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
}

/// The score: OSC bundles, each preceded by its length (SuperCollider's non-real-time mode).
extension ScsynthBench {
  private func scoreBytes(voices: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    func add(_ messages: [OSCBytes], at second: Int) {
      var bundle = OSCBytes()
      bundle.string("#bundle")
      bundle.bytes += UInt64(second << 32).bigEndianBytes
      for message in messages {
        bundle.int(message.bytes.count)
        bundle.bytes += message.bytes
      }
      bytes += UInt32(bundle.bytes.count).bigEndianBytes + bundle.bytes
    }
    add([OSCBytes("/d_recv", .blob(isNote ? noteDefinition : definition))], at: 0)
    for buffer in 0..<16 {
      add(
        [
          OSCBytes("/b_alloc", .int(buffer), .int(48_000), .int(1)),
          OSCBytes("/b_gen", .int(buffer), .string("sine1"), .int(5), .float(1)),
        ], at: 0)
    }
    var state: UInt64 = 3
    func random() -> Float {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(state >> 40) / 16_777_216
    }
    for voice in 0..<voices {
      let rate = 0.7 + random() * 0.8
      add(
        [
          OSCBytes(
            "/s_new", .string("voice"), .int(1_000 + voice), .int(1), .int(0), .string("buffer"), .int(voice % 16),
            .string(isNote ? "freq" : "rate"), .float(isNote ? Float(60 + voice * 7 % 900) : rate), .string("pan"),
            .float(random() * 2 - 1), .string("start"),
            .float(random() * 48_000))
        ], at: 0)
    }
    add([OSCBytes("/c_set", .int(0), .float(0))], at: seconds)
    return bytes
  }

  /// A synth definition file, version 2 (SuperCollider, "Synth Definition File Format").
  private var definition: [UInt8] {
    var d = OSCBytes()
    d.bytes += Array("SCgf".utf8) + UInt32(2).bigEndianBytes + UInt16(1).bigEndianBytes
    d.pascal("voice")
    // Constants 0, 1 and the level.
    d.int(3)
    for constant: Float in [0, 1, 0.001] { d.float(constant) }
    let parameters = ["buffer", "rate", "pan", "start"]
    d.int(parameters.count)
    for value: Float in [0, 1, 0, 0] { d.float(value) }
    d.int(parameters.count)
    for (index, name) in parameters.enumerated() {
      d.pascal(name)
      d.int(index)
    }
    let control = 0
    let constant = -1
    d.int(4)
    d.unit("Control", rate: 1, inputs: [], outputs: [1, 1, 1, 1])
    d.unit(
      "PlayBuf", rate: 2,
      inputs: [(control, 0), (control, 1), (constant, 1), (control, 3), (constant, 1), (constant, 0)], outputs: [2])
    d.unit("Pan2", rate: 2, inputs: [(1, 0), (control, 2), (constant, 2)], outputs: [2, 2])
    d.unit("Out", rate: 2, inputs: [(constant, 0), (2, 0), (2, 1)], outputs: [])
    d.bytes += UInt16(0).bigEndianBytes
    return d.bytes
  }
}

extension ScsynthBench {
  /// A saw through a resonant low-pass, with an envelope that is held.
  private var noteDefinition: [UInt8] {
    var d = OSCBytes()
    d.bytes += Array("SCgf".utf8) + UInt32(2).bigEndianBytes + UInt16(1).bigEndianBytes
    d.pascal("voice")
    let constants: [Float] = [0, 1, 0.5, 2_000, 0.001, 0.003, 5, -99, 2, 0.8, 0.4, 0.3, 3]
    d.int(constants.count)
    for constant in constants { d.float(constant) }
    func c(_ value: Float) -> (unit: Int, output: Int) { (-1, constants.firstIndex(of: value) ?? 0) }
    let parameters = ["freq", "pan"]
    d.int(parameters.count)
    for value: Float in [440, 0] { d.float(value) }
    d.int(parameters.count)
    for (index, name) in parameters.enumerated() {
      d.pascal(name)
      d.int(index)
    }
    d.int(7)
    d.unit("Control", rate: 1, inputs: [], outputs: [1, 1])
    d.unit("Saw", rate: 2, inputs: [(0, 0)], outputs: [2])
    d.unit("RLPF", rate: 2, inputs: [(1, 0), c(2_000), c(0.5)], outputs: [2])
    // An envelope that rises, falls, and is held until its gate closes: attack, decay, release.
    let envelope = [
      c(0), c(3), c(2), c(-99), c(1), c(0.003), c(5), c(0), c(0.8), c(0.4), c(5), c(0), c(0), c(0.3), c(5), c(0),
    ]
    d.unit("EnvGen", rate: 1, inputs: [c(1), c(0.001), c(0), c(1), c(0)] + envelope, outputs: [1])
    // Operator 2 is the product.
    d.unit("BinaryOpUGen", rate: 2, inputs: [(2, 0), (3, 0)], outputs: [2], kind: 2)
    d.unit("Pan2", rate: 2, inputs: [(4, 0), (0, 1), c(1)], outputs: [2, 2])
    d.unit("Out", rate: 2, inputs: [c(0), (5, 0), (5, 1)], outputs: [])
    d.bytes += UInt16(0).bigEndianBytes
    return d.bytes
  }
}

/// The parts of OSC 1.0 that a score needs.
private struct OSCBytes {
  enum Argument {
    case int(Int)
    case float(Float)
    case string(String)
    case blob([UInt8])
  }

  var bytes: [UInt8] = []

  init() {}

  init(_ address: String, _ arguments: Argument...) {
    string(address)
    string(
      ","
        + arguments.map { argument in
          switch argument {
          case .int: "i"
          case .float: "f"
          case .string: "s"
          case .blob: "b"
          }
        }.joined())
    for argument in arguments {
      switch argument {
      case .int(let value): int(value)
      case .float(let value): float(value)
      case .string(let text): string(text)
      case .blob(let data):
        int(data.count)
        bytes += data
        pad()
      }
    }
  }

  mutating func int(_ value: Int) { bytes += UInt32(bitPattern: Int32(value)).bigEndianBytes }
  mutating func float(_ value: Float) { bytes += value.bitPattern.bigEndianBytes }
  mutating func string(_ text: String) {
    bytes += Array(text.utf8) + [0]
    pad()
  }
  mutating func pascal(_ text: String) { bytes += [UInt8(text.utf8.count)] + Array(text.utf8) }
  mutating func unit(
    _ name: String, rate: UInt8, inputs: [(unit: Int, output: Int)], outputs: [UInt8], kind: UInt8 = 0
  ) {
    pascal(name)
    bytes.append(rate)
    int(inputs.count)
    int(outputs.count)
    bytes += [0, kind]
    for input in inputs {
      int(input.unit)
      int(input.output)
    }
    bytes += outputs
  }
  private mutating func pad() { while bytes.count % 4 != 0 { bytes.append(0) } }
}

extension FixedWidthInteger {
  fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian, Array.init) }
}
