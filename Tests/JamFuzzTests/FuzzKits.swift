import JamCore

@testable import JamKit
@testable import JamRoom

/// Kits and sounds in memory: short ones, held and looped ones, kits with empty pads.
struct FuzzKits: @unchecked Sendable {
  // Unchecked: nothing of it changes once it is made.
  private let kits: [String: PlayableKit]
  let first: PlayableKit
  let owns: [OwnSound]
  /// Of all modes and with sounds that last, so that a release is heard.
  let lasting = FuzzKits.kit("lasting", emptyEach: 0, frames: 9_600)

  init() {
    var kits: [String: PlayableKit] = [:]
    for (number, id) in ["one", "two", "three"].enumerated() { kits[id] = FuzzKits.kit(id, emptyEach: number * 3) }
    self.kits = kits
    first = kits["one"]!
    owns = (0..<6).map { number in
      let memory = FuzzKits.memory(frames: 300 + number * 777, seed: number)
      return OwnSound(
        PlayableSound(memory.view, owner: memory), hash: memory.hash, name: "own \(number)",
        category: PadCategory(rawValue: "kick")!)
    }
  }

  /// Also one that was saved.
  func kit(_ id: String) -> PlayableKit? { kits[id] ?? (id.hasPrefix("saved") ? FuzzKits.kit(id, emptyEach: 5) : nil) }

  var listed: [Kit] { ["one", "two", "three"].map { kits[$0]!.kit } }

  func pad(_ wanted: VoicedSound) -> PlayablePad? {
    switch wanted.sample {
    case .pad(let pad, let id): kit(id)?.plain(pad)
    case .own: owns.first { $0.id == wanted.sample }.map { PlayablePad($0.sound) }
    case .patch(let patch): PlayablePad(patch)
    case .nothing: nil
    }
  }

  private static func kit(_ id: String, emptyEach: Int, frames: Int = 200) -> PlayableKit {
    let modes = PadMode.allCases
    let categories = ["kick", "snare", "hat", "cymbal", "impact", "other"]
    var descriptions: [KitPad?] = []
    var pads: [PlayablePad?] = []
    for pad in Pad.all {
      guard emptyEach == 0 || (pad.index + 1) % emptyEach != 0 else {
        descriptions.append(nil)
        pads.append(nil)
        continue
      }
      var settings = PadSettings()
      settings.mode = modes[pad.index % modes.count]
      settings.choke = UInt8(pad.index % 3)
      let memory = memory(frames: frames + pad.index * 313, seed: pad.index)
      descriptions.append(
        KitPad(
          name: "\(id) \(pad.number)", category: categories[pad.index % categories.count],
          duration: memory.view.duration, settings: settings))
      pads.append(PlayablePad(PlayableSound(memory.view, owner: memory)))
    }
    return PlayableKit(kit: Kit(id: id, name: id.uppercased(), pads: descriptions), pads: pads)
  }

  private static func memory(frames: Int, seed: Int) -> SampleMemory {
    let values = (0..<frames).map { Float(($0 * 31 + seed * 7) % 64) / 128 }
    let hash = values.withUnsafeBytes { ContentHash($0) }
    return values.withUnsafeBufferPointer { SampleMemory(hash: hash, interleaved: $0, channels: 1)! }
  }
}
