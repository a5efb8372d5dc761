internal import Glibc
internal import JamCommand
internal import JamCore
internal import JamStream

/// A kit of sounds that are made for measuring. It is written to files, and read like any kit.
final class SoundKit {
  struct Sound {
    var name: String
    var category: String
    /// One plane, or two.
    var planes: [[Float]]
    /// More fields of the pad, as `"mode": "loop"`.
    var fields: String

    init(_ name: String, _ planes: [[Float]], category: String = "other", fields: String = "") {
      (self.name, self.planes, self.category, self.fields) = (name, planes, category, fields)
    }
  }

  static let id = "sound"
  private let home: BenchFolder
  var folder: String { home.path }

  /// - Parameter sounds: the sounds of the pads from 1 on.
  init(_ sounds: [Sound]) throws {
    home = try BenchFolder()
    let kit = "\(home.path)/\(SoundKit.id)"
    mkdir(kit, 0o700)
    var pads: [String] = []
    for (index, sound) in sounds.enumerated() {
      var writer = try WAVWriter(path: "\(kit)/\(index).wav", format: .float32, channels: sound.planes.count)
      let frames = sound.planes[0].indices.flatMap { frame in sound.planes.map { $0[frame] } }
      try frames.withUnsafeBufferPointer { samples throws(StreamError) in try writer.append(samples) }
      try writer.finish()
      let more = sound.fields.isEmpty ? "" : ", \(sound.fields)"
      pads.append(
        #"""
        { "pad": \#(index + 1), "file": "\#(index).wav", "name": "\#(sound.name)", \#
        "category": "\#(sound.category)"\#(more) }
        """#
      )
    }
    let text = """
      { "format": 1, "name": "Sound", "category": "test", "description": "For measuring.",
        "colours": ["#000000", "#ffffff"], "credits": "None.", "pads": [\(pads.joined(separator: ", "))] }
      """
    guard let file = fopen("\(kit)/kit.json", "w") else {
      throw ChildProcess.Failure(description: "no kit could be written")
    }
    fputs(text, file)
    fclose(file)
  }

  /// A stage with only this kit.
  func stage() throws -> SoundStage { try SoundStage([folder]) }

  static func sine(_ hertz: Double, seconds: Double, amplitude: Double = 0.5, phase: Double = 0) -> [Float] {
    (0..<Int(seconds * Double(SoundStage.rate))).map {
      Float(amplitude * sin(2 * .pi * (hertz * Double($0) / Double(SoundStage.rate) + phase)))
    }
  }

  /// Evenly distributed noise, the same for the same seed.
  static func noise(_ count: Int, seed: UInt64, amplitude: Float = 0.5) -> [Float] {
    var state = seed &* 2_654_435_761 &+ 1
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648 * amplitude
    }
  }
}
