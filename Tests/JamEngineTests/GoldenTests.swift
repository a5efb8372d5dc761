import Foundation
import JamCore
import JamRealtime
import Testing

@testable import JamEngine

/// Renders of fixed scenes against those in Tests/Golden/engine: stereo, 32-bit floats, little-endian.
///
/// After a change that is meant to be heard: `BANDSHELL_GOLDEN=write swift test --filter GoldenTests`, then listen, then commit.
@Suite struct GoldenTests {
  /// −100 dBFS: what may differ.
  static let tolerance: Float = 0.00001

  private func check(_ name: String, _ rig: Rig, frames: Int, click: Bool = false) throws {
    while rig.tape.tape.end.count < Int64(frames) { rig.render() }
    var mix = [Float](repeating: 0, count: frames * 2)
    try #require(rig.tape.tape.read(&mix, from: .zero, count: frames, click: click))
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Golden/engine/\(name).f32")
    if ProcessInfo.processInfo.environment["BANDSHELL_GOLDEN"] == "write" {
      try Data(mix.flatMap { value in withUnsafeBytes(of: value.bitPattern.littleEndian, Array.init) }).write(to: file)
    }
    let data = try Data(contentsOf: file)
    try #require(data.count == mix.count * 4)
    let golden = stride(from: 0, to: data.count, by: 4).map { (place: Int) -> Float in
      let bytes: UInt32 = data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
      return Float(bitPattern: UInt32(littleEndian: bytes))
    }
    let difference = zip(mix, golden).map { abs($0 - $1) }.max() ?? 0
    #expect(difference <= Self.tolerance, "\(name) is off by \(difference)")
    #expect(mix.contains { abs($0) > 0.01 })
  }

  @Test("hits at several rates, pans and starts sound as they did")
  func hits() throws {
    let rig = Rig()
    let tone = Sound.sine(440, frames: 1_500, level: 0.4)
    let noise = Sound.noise(0.3, frames: 900, seed: 8, isStereo: true)
    rig.send(rig.start(tone, pad: 1, gain: PanGains(pan: -0.5)), at: 10)
    rig.send(rig.start(tone, pad: 2, gain: PanGains(pan: 0.7), rate: 1.4983), at: 333)
    rig.send(rig.start(noise, pad: 3, gain: PanGains(pan: 0.2, isStereo: true), rate: 0.5), at: 700)
    rig.send(rig.start(noise, pad: 4, startFrame: 100), at: 901)
    rig.send(.bus(PlayerID(index: 0), gain: 0.6, pan: PanGains(pan: 0.4, isStereo: true)), at: 1_000)
    try check("hits", rig, frames: 2_400)
  }

  @Test("releases, chokes, steals and decays fade as they did")
  func fades() throws {
    let rig = Rig()
    let tone = Sound.sine(220, frames: 9_000, level: 0.2, fades: false)
    rig.send(rig.start(tone, pad: 1, isGated: true), at: 0)
    rig.send(rig.start(tone, pad: 2, rate: 1.5, choke: 1), at: 50)
    rig.send(rig.start(tone, pad: 3, rate: 2, decay: 300), at: 100)
    rig.send(rig.start(tone, pad: 4, rate: 0.75, voices: 1), at: 200)
    rig.send(.release(bus: PlayerID(index: 0), pad: Pad(1)!), at: 650)
    rig.send(rig.start(tone, pad: 5, rate: 1.25, choke: 1), at: 800)
    rig.send(rig.start(tone, pad: 4, voices: 1), at: 1_111)
    rig.send(.silenceAll, at: 1_700)
    try check("fades", rig, frames: 2_400)
  }

  @Test("a mix that is too loud is limited as it was")
  func limited() throws {
    let rig = Rig()
    let noise = Sound.noise(1, frames: 1_000, seed: 9, isStereo: true)
    let bass = Sound.sine(80, frames: 2_400, level: 0.8)
    rig.send(rig.start(bass), at: 0)
    rig.send(rig.start(noise, pad: 2, gain: PanGains(left: 3, right: 2)), at: 800)
    try check("limited", rig, frames: 2_400)
  }

  @Test("the click sounds as it did")
  func click() throws {
    let rig = Rig()
    rig.send(.click(gain: 0.8), at: 0)
    let fast = TempoMap(
      tempo: Tempo(clamping: 300), signature: TimeSignature(beatsPerBar: 3, beatUnit: 32)!, start: Frames(300))
    rig.send(rig.tempoMap(fast, revision: 1), at: 0)
    try check("click", rig, frames: 4_800, click: true)
  }
}
