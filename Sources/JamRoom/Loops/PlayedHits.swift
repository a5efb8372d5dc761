internal import JamCore

/// The last hits of a player's hands, of which `/loop/catch` makes a layer.
///
/// A hit is noted as a few numbers, in memory that is there before the first hit. How a pad sounded
/// is noted as the pad changes (`fix`), and not with each hit.
struct PlayedHits: Equatable, Sendable {
  /// So many hits are remembered: 16 bars of sixteenths.
  static let most = 256

  /// In the order in which they came, the oldest at `next` once the ring is full.
  private var ring: [PlayedHit] = []
  private var next = 0
  /// The hits that a finger still holds.
  private var held = 0
  /// Pads as they were for hits that came before the pad changed.
  private var voicings: [Voicing] = []
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
  func follows(_ pad: Pad) -> Bool { ring.contains { $0.pad == pad && $0.voicing == nil } }

  /// The pad as it was for the hit; nil where it is so still.
  func voicing(of hit: PlayedHit) -> Voicing? { hit.voicing.map { voicings[Int($0)] } }

  /// So many pads are remembered as they were.
  var voicingCount: Int { voicings.count }

  /// The pad is about to change: its hits so far keep `voicing`.
  mutating func fix(_ pad: Pad, as voicing: Voicing) {
    let place = place(of: voicing)
    for index in ring.indices where ring[index].pad == pad && ring[index].voicing == nil {
      ring[index].voicing = place
    }
  }

  /// The hit that was noted last waited while its pad changed.
  mutating func fixLast(as voicing: Voicing) {
    let place = place(of: voicing)
    ring[(next + ring.count - 1) % ring.count].voicing = place
  }

  private mutating func place(of voicing: Voicing) -> UInt16 {
    if voicings.count >= PlayedHits.mostVoicings { forgetUnusedVoicings() }
    voicings.append(voicing)
    return UInt16(clamping: voicings.count - 1)
  }

  /// More than there are hits.
  private static let mostVoicings = 2 * most

  private mutating func forgetUnusedVoicings() {
    var (used, places) = ([Voicing](), [UInt16: UInt16]())
    for index in ring.indices {
      guard let old = ring[index].voicing else { continue }
      if let place = places[old] {
        ring[index].voicing = place
      } else {
        places[old] = UInt16(used.count)
        ring[index].voicing = UInt16(used.count)
        used.append(voicings[Int(old)])
      }
    }
    voicings = used
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
    if ring.isEmpty { voicings = [] }
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
  /// The pad as it was, in `PlayedHits.voicings`; nil is as the pad is.
  var voicing: UInt16?

  func beat(_ view: TempoMapView) -> Beats { recorded ?? view.beat(at: frame) }

  /// For how long it was held.
  /// - Parameter now: up to there a finger has held it that still does.
  func held(until now: Frames, _ view: TempoMapView) -> Beats {
    let end = view.beat(at: isHeld ? now : max(frame, ended))
    return max(Beats(microBeats: 1), end - view.beat(at: frame))
  }
}
