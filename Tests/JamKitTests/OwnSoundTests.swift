import Foundation
import JamCore
import KitTestSupport
import Testing

@testable import JamKit

@Suite struct OwnSoundTests {
  private func wav(_ sound: Sound) throws -> [UInt8] { try sound.flac(named: "test") }

  private func tone(_ frames: Int, rate: Int = 48_000, level: Float = 0.5, silence: Int = 0) -> Sound {
    let values = (0..<frames).map { Float(PortableMath.sine(turns: Double($0) * 440 / Double(rate))) * level }
    let quiet = [Float](repeating: 0, count: silence)
    return Sound(interleaved: quiet + values + quiet, channels: 1, rate: rate, depth: .twentyFour)
  }

  @Test("what is read back from its file is what was played, bit for bit", arguments: [44_100, 48_000, 96_000])
  func readBack(rate: Int) throws {
    let folder = try TemporaryFolder()
    let made = try FinishedSound(file: try wav(tone(rate / 3, rate: rate)), named: "tone")
    let sounds = SoundFolder(folder.path + "/sounds")
    try sounds.keep(made)
    try sounds.keep(made)
    let read = try sounds.read(made.memory.hash)
    #expect(Sound(read) == Sound(made.memory))
    #expect(Files.names(in: sounds.path)?.count == 1)
  }

  @Test("of a recording silence in front and behind is cut off, and the edges are at rest")
  func trimming() throws {
    let recorded = tone(24_000, silence: 12_000)
    let made = try FinishedSound(recorded: recorded.interleaved, channels: 1, rate: 48_000, named: "tone")
    let sound = Sound(made.memory)
    #expect(abs(sound.frames - 24_000) < 400)
    #expect(SoundMeasure.faults(of: sound).isEmpty)
    #expect(abs(sound.interleaved[0]) < 0.001 && abs(sound.interleaved.last ?? 1) < 0.001)
  }

  @Test("a file keeps its frames, to the bit: a hard first one, the seam of a loop, a rest at the end of a bar")
  func untouched() throws {
    let noise = (0..<9_600).map { frame -> Float in
      let level = 0.4 * Float(9_599 - frame) / 9_600
      return Float(sin(Double(frame * frame))) * level
    }
    let loop = (0..<48_000).map { frame -> Float in
      Float(PortableMath.cosine(turns: Double(frame) * 440 / 48_000)) * 0.5
    }
    let bar = tone(24_000).interleaved + [Float](repeating: 0, count: 24_000)
    for (name, values) in [("hat", [0.8] + noise), ("loop", loop), ("bar", bar)] {
      let file = Sound(interleaved: values, channels: 1, rate: 48_000, depth: .twentyFour)
      let made = try FinishedSound(file: try wav(file), named: name)
      let difference = zip(Sound(made.memory).interleaved, values).map { abs($0 - $1) }.max() ?? 1
      #expect(Sound(made.memory).frames == values.count && difference < 1e-6, "\(name): \(difference)")
      #expect(made.notes == [], "\(name)")
    }
  }

  @Test("a silent lead-in of a file is cut off, and a long silence behind; both are told")
  func silentEnds() throws {
    let quiet = [Float](repeating: 0, count: 480)
    let short = Sound(
      interleaved: quiet + tone(24_000).interleaved, channels: 1, rate: 48_000, depth: .twentyFour)
    let early = try FinishedSound(file: try wav(short), named: "tone")
    #expect(abs(Sound(early.memory).frames - 24_048) < 8)
    #expect(early.notes == ["trimmed of 0.009 s of silence"])
    let long = Sound(
      interleaved: tone(24_000).interleaved + [Float](repeating: 0, count: 96_000), channels: 1, rate: 48_000,
      depth: .twentyFour)
    let ended = try FinishedSound(file: try wav(long), named: "tone")
    #expect(abs(Sound(ended.memory).frames - 24_240) < 8 && ended.notes.count == 1, "\(ended.notes)")
  }

  @Test("a sound that begins at rest keeps its attack")
  func attack() throws {
    var drum = Sound(interleaved: [Float](repeating: 0, count: 9_600), channels: 1, rate: 48_000, depth: .sixteen)
    for frame in 1..<4_800 { drum.interleaved[frame] = frame % 2 == 0 ? 0.25 : -0.25 }
    let made = Sound(try FinishedSound(file: try wav(drum), named: "drum").memory)
    #expect(Array(made.interleaved[0..<200]) == Array(drum.interleaved[0..<200]))
  }

  @Test("a piece of music keeps every frame, but for the shortest of fades")
  func cut() throws {
    let frames = 96_000
    let piece = (0..<frames * 2).map { Float(PortableMath.sine(turns: Double($0 / 2) * 0.01)) * 0.5 + 0.25 }
    let sound = Sound(try FinishedSound(cut: piece, named: "bars").memory)
    #expect(sound.frames == frames)
    let steps = Float(1 << 23)
    let kept = 24..<(frames * 2 - 240)
    #expect(kept.allSatisfy { sound.interleaved[$0] == (piece[$0] * steps).rounded() / steps })
    #expect(sound.interleaved[0] == 0)
  }

  @Test("what cannot be played is refused by name, with the remedy")
  func refusals() throws {
    func reason(_ bytes: [UInt8]) -> String {
      do {
        _ = try FinishedSound(file: bytes, named: "mine")
        return ""
      } catch { return "\(error)" }
    }
    #expect(reason([]) == "mine: holds no sound; save it again")
    #expect(reason(Array("no sound at all, but text".utf8)).contains("is not a sound file"))
    #expect(reason(try wav(tone(8_000 * 61, rate: 8_000))).contains("is 61 s long; cut it to 60 s"))
    #expect(reason(try wav(tone(8_000 * 200, rate: 8_000))).contains("is longer than 60 s"))
    #expect(reason(try wav(tone(4_800, level: 0))).contains("is silent"))
    #expect(reason([UInt8](repeating: 0, count: FinishedSound.mostBytes + 1)).contains("larger than 64 MiB"))
  }

  @Test("a sound that was changed on disk is refused, not played")
  func changedOnDisk() throws {
    let folder = try TemporaryFolder()
    let sounds = SoundFolder(folder.path)
    let made = try FinishedSound(file: try wav(tone(4_800)), named: "tone")
    let other = try FinishedSound(file: try wav(tone(4_801)), named: "tone")
    try sounds.keep(made)
    try Files.write(other.file, to: "\(folder.path)/\(made.memory.hash).flac")
    #expect(throws: KitError.self) { try sounds.read(made.memory.hash) }
    #expect(throws: KitError.self) { try sounds.read(other.memory.hash) }
  }

  @Test("a full disk is told, and leaves nothing behind")
  func fullDisk() throws {
    let made = try FinishedSound(file: try wav(tone(4_800)), named: "tone")
    // Nobody, not even root, makes a folder in there.
    let sounds = SoundFolder("/proc/self/sounds")
    let error = #expect(throws: KitError.self) { try sounds.keep(made) }
    #expect("\(error!)".contains("cannot be written"))
  }

  @Test("saved pads are a kit that checks well and plays the same, under an id of its own")
  func saving() throws {
    let folder = try TemporaryFolder()
    let low = try FinishedSound(file: try wav(tone(9_600, level: 0.2)), named: "low").memory
    let high = try FinishedSound(file: try wav(tone(4_800)), named: "high").memory
    var settings = PadSettings()
    (settings.gain, settings.pan, settings.transpose, settings.stretch) = (-3, 0.25, 7, 1.5)
    (settings.stretchQuality, settings.voices, settings.choke, settings.mode) = (.best, 2, 3, .gate)
    (settings.panRandom, settings.transposeRandom, settings.start, settings.decay) = (0.5, 1, 10, 90)
    let layered = SavedKit.SavedPad(
      name: "Both/two", category: "bass", key: "A", settings: settings,
      layers: [SoundLayer(upTo: 0.5, gain: 2, sounds: [low, high]), SoundLayer(upTo: 1, gain: 0, sounds: [high])])
    let plain = SavedKit.SavedPad(
      name: "Low", category: "tom", key: nil, settings: PadSettings(),
      layers: [SoundLayer(upTo: 1, gain: 0, sounds: [low])])
    let kit = SavedKit(
      name: "My kit!", description: "Saved by ann.", colours: ["#112233", "#445566"],
      pads: [nil, layered, plain] + Array(repeating: nil, count: 13))
    let first = try kit.write(in: folder.path, order: 101) { _ in false }
    let second = try kit.write(in: folder.path, order: 102) { _ in false }
    #expect([first.id, second.id] == ["my-kit", "my-kit-2"])
    #expect(KitCheck.faults(of: first).isEmpty)
    let catalogue = KitCatalogue(scanning: [folder.path])
    #expect(catalogue.kits.map(\.id) == ["my-kit", "my-kit-2"])
    let pad = try #require(catalogue.kits[0][Pad(2)!])
    #expect(pad.settings == settings)
    #expect([pad.name, pad.category, pad.key ?? ""] == ["Both two", "bass", "A"])
    let loaded = try first.load()
    let layers = loaded.layers(Pad(2)!)
    #expect(layers.map(\.upTo) == [0.5, 1] && layers.map(\.gain) == [2, 0])
    #expect(layers[0].sounds.map { Sound($0).interleaved } == [low, high].map { Sound($0).interleaved })
    #expect(loaded.memory(Pad(3)!) === layers[0].sounds[0], "the same sound twice is one file")
  }
}
