internal import JamCore

/// The last hits of a player's hands, of which `/loop/catch` makes a layer.
///
/// A hit is noted as a few numbers, in memory that is there before the first hit. How a pad sounded
/// is noted as the pad changes (`fix`), and not with each hit. Its sound stays in memory with it: a
/// hit that was heard can be caught at once, whatever its pad's sound is by now. `mostBytes` bounds
/// that.
struct PlayedHits: Equatable, Sendable {
  /// So many hits are remembered: 16 bars of sixteenths.
  static let most = 256

  /// In the order in which they came, the oldest at `next` once the ring is full.
  private var ring: [PlayedHit] = []
  private var next = 0
  /// The hits that a finger still holds.
  private var held = 0
  /// Pads as they were for hits that came before the pad changed.
  private var sounds: [FixedSound] = []
  /// So many are there when those that no hit has are let go of.
  private var mostSounds = PlayedHits.fewSounds
  /// The frame of the last hit.
  private(set) var last: Frames?

  /// Inlined: the room asks 30 times a second.
  var isEmpty: Bool { @inline(__always) get { ring.isEmpty } }

  /// In the order in which they came.
  var hits: [PlayedHit] { Array(ring[next...] + ring[..<next]) }

  /// Gets the memory for all hits: no hit waits for it.
  mutating func reserve() { ring.reserveCapacity(PlayedHits.most) }

  mutating func note(_ hit: PlayedHit) {
    last = hit.frame
    if hit.isHeld { held += 1 }
    if ring.count < PlayedHits.most { return ring.append(hit) }
    if ring[next].isHeld { held -= 1 }
    ring[next] = hit
    next = (next + 1) % PlayedHits.most
  }

  /// The pad was let go: its held hits end at `frame`.
  mutating func release(_ pad: Pad, at frame: Frames) {
    // The newest first: hits that are held are among them.
    var age = 1
    while held > 0, age <= ring.count {
      let index = (next + ring.count - age) % ring.count
      age += 1
      guard ring[index].pad == pad, ring[index].isHeld else { continue }
      ring[index].ended = frame
      ring[index].isHeld = false
      held -= 1
    }
  }

  /// A hit that will not sound.
  mutating func withdraw(_ pad: Pad, at frame: Frames) {
    forget { $0.pad == pad && $0.frame == frame }
  }

  /// Whether hits of the pad sound as the pad does now.
  func follows(_ pad: Pad) -> Bool { ring.contains { $0.pad == pad && $0.sound == nil } }

  /// The pad as it was for the hit; nil where it is so still.
  func sound(of hit: PlayedHit) -> FixedSound? { hit.sound.map { sounds[Int($0)] } }

  /// So many pads are remembered as they were.
  var soundCount: Int { sounds.count }

  /// The pad is about to change: its hits so far keep `sound`.
  mutating func fix(_ pad: Pad, as sound: FixedSound) {
    let place = place(of: sound)
    for index in ring.indices where ring[index].pad == pad && ring[index].sound == nil {
      ring[index].sound = place
    }
  }

  /// The hit that was noted last waited while its pad changed.
  mutating func fixLast(as sound: FixedSound) {
    let place = place(of: sound)
    ring[(next + ring.count - 1) % ring.count].sound = place
  }

  private mutating func place(of sound: FixedSound) -> UInt16 {
    if sounds.last != sound {
      if sounds.count >= mostSounds { forgetUnusedSounds() }
      sounds.append(sound)
      letGoOfSounds()
    }
    return UInt16(clamping: sounds.count - 1)
  }

  /// So much memory the sounds of a player's earlier pads may take: 22 s in stereo.
  private static let mostBytes = 8 << 20

  /// Beyond `mostBytes` the oldest sounds are let go of. A catch of their hits reads them again.
  private mutating func letGoOfSounds() {
    var (bytes, counted) = (0, Set<ObjectIdentifier>())
    for index in sounds.indices.reversed() {
      for sound in sounds[index].sound?.layers.flatMap(\.sounds) ?? []
      where counted.insert(ObjectIdentifier(sound)).inserted {
        let channels = sound.view.isStereo ? 2 : 1
        bytes += Int(sound.view.frameCount) * channels * MemoryLayout<Float>.stride
      }
      if bytes > PlayedHits.mostBytes { sounds[index].sound = nil }
    }
  }

  private static let fewSounds = 16

  private mutating func forgetUnusedSounds() {
    var (used, places) = ([FixedSound](), [UInt16: UInt16]())
    for index in ring.indices {
      guard let old = ring[index].sound else { continue }
      if let place = places[old] {
        ring[index].sound = place
      } else {
        places[old] = UInt16(used.count)
        ring[index].sound = UInt16(used.count)
        used.append(sounds[Int(old)])
      }
    }
    sounds = used
    mostSounds = max(PlayedHits.fewSounds, 2 * used.count)
  }

  /// Beats are about to be counted anew: places in beats become frames.
  mutating func detach(from view: TempoMapView) {
    for index in ring.indices {
      guard let recorded = ring[index].recorded else { continue }
      ring[index].frame = view.frame(at: recorded)
      ring[index].recorded = nil
    }
  }

  /// These hits are in a layer, or will not sound.
  mutating func forget(where isMeant: (PlayedHit) -> Bool) {
    guard ring.contains(where: isMeant) else { return }
    let kept = hits.filter { !isMeant($0) }
    // The memory stays; where an image of the room shares it, as much is reserved anew.
    ring.removeAll(keepingCapacity: true)
    reserve()
    ring.append(contentsOf: kept)
    next = 0
    held = ring.count { $0.isHeld }
    forgetUnusedSounds()
  }

  mutating func forgetAll() { forget { _ in true } }
}

/// A hit of a hand, as it is remembered.
struct PlayedHit: Equatable, Sendable {
  /// The frame at which it sounds.
  var frame: Frames
  /// The recorded beat, if the hit sounds elsewhere.
  var recorded: Beats?
  /// The end of a held hit.
  var ended: Frames = .zero
  var velocity: Velocity
  /// The pad's turn among sounds that share it.
  var turn: Int32
  var pad: Pad
  /// A finger holds it.
  var isHeld: Bool
  /// Its time is a finger's: a recording's grid may move it.
  var isByHand: Bool
  /// The pad as it was, in `PlayedHits.sounds`; nil is as the pad is.
  var sound: UInt16?

  func beat(_ view: TempoMapView) -> Beats { recorded ?? view.beat(at: frame) }

  /// For how long it was held.
  /// - Parameter now: up to there a finger has held it that still does.
  func held(until now: Frames, _ view: TempoMapView) -> Beats {
    let end = view.beat(at: isHeld ? now : max(frame, ended))
    return max(Beats(microBeats: 1), end - view.beat(at: frame))
  }
}
