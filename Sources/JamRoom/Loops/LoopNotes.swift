internal import JamCore
internal import JamEngine

/// A loop's notes as they are told, and found again by their numbers.
extension Loop {
  /// Another number where notes, mutes, levels or loans are others; 0 without any layer.
  var mark: Int32 {
    guard !isEmpty else { return 0 }
    // FNV-1a, 64 bits, a word at a time.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func mix(_ word: Int64) { hash = (hash ^ UInt64(bitPattern: word)) &* 0x100_0000_01b3 }
    for case (let index, let layer?) in layers.enumerated() {
      mix(Int64(index) << 1 | (layer.isMuted ? 1 : 0))
      mix(Int64(layer.gain.bitPattern))
      if let loan = layer.loan { for byte in loan.player.text.utf8 { mix(Int64(byte)) } }
      for track in layer.tracks {
        mix(track.length.microBeats)
        for hit in track.hits {
          mix(Int64(hit.sequence))
          mix(hit.position.microBeats)
          mix(Int64(hit.velocity.value.bitPattern))
        }
      }
    }
    let folded = Int32(truncatingIfNeeded: hash ^ hash >> 32)
    return folded == 0 ? 1 : folded
  }

  /// Events of its notes, layer by layer, without those behind a track's end, which do not sound.
  /// - Parameter category: asked once for each sound.
  func noteEvents(of player: PlayerName, category: (SampleID) -> String) -> [Event] {
    var events: [Event] = []
    var categories: [SampleID: String] = [:]
    func known(_ sample: SampleID) -> String {
      if let known = categories[sample] { return known }
      let found = category(sample)
      categories[sample] = found
      return found
    }
    for case (let index, let layer?) in layers.enumerated() {
      for track in layer.tracks {
        for hit in track.hits where hit.position < track.length {
          events.append(
            .loopNote(
              LoopNote(
                player: player, layer: index + 1, number: hit.sequence, pad: hit.start.pad,
                beat: Float(hit.position.value), velocity: hit.velocity.value, length: Float(hit.length?.value ?? 0),
                cycle: Float(track.length.value), category: known(hit.voicing.sample))))
        }
      }
      events.append(
        .loopLayer(
          LoopLayer(
            player: player, number: index + 1, isMuted: layer.isMuted, gain: layer.gain,
            isSteps: layer.isSteps, owner: layer.owner, borrower: layer.borrower)))
    }
    return events + [.loopNotesEnd(player: player, mark: mark)]
  }

  /// The change that puts `hit` onto a layer: into its notes, or its step grid's notes of that pad.
  /// - Returns: nil where it lies behind the end.
  func addition(of hit: LoopHit, at beat: Float, to number: Int, _ layer: Layer) -> HitChange? {
    var hit = hit
    hit.position = layer.place(of: beat)
    guard layer.isSteps else {
      guard let track = layer.tracks.first, hit.position < track.length else { return nil }
      return HitChange(layer: number, of: layer, track, added: [hit])
    }
    let pad = hit.start.pad
    guard hit.position < grid.length(of: pad) else { return nil }
    let track =
      layer.tracks.first { $0.steps == pad }
      ?? Track(hits: [], length: grid.length(of: pad), steps: pad, swings: true)
    // A step has one hit.
    let there = track.hits.filter { $0.position == hit.position }
    return HitChange(layer: number, of: layer, track, removed: there, added: [hit])
  }
}

extension LoopHit {
  /// The same sound, louder or softer.
  mutating func setVelocity(_ new: Velocity) {
    start.velocity = new.value
    if start.patch == nil {
      // Velocity counts squared.
      let louder = new.value / velocity.value
      start.gain.left *= louder * louder
      start.gain.right *= louder * louder
    }
    velocity = new
  }
}

extension Layer {
  /// The note of that number, and the track that it lies on.
  func note(_ number: UInt32) -> (hit: LoopHit, track: Track)? {
    for track in tracks {
      if let hit = track.hits.first(where: { $0.sequence == number }) { return (hit, track) }
    }
    return nil
  }

  /// The place for a note that is wanted at `beat`: a step grid's on its sixteenth.
  func place(of beat: Float) -> Beats {
    let wanted = Beats(nearest: Double(beat))
    guard isSteps else { return wanted }
    return Track.step * Int((wanted.microBeats + Track.step.microBeats / 2) / Track.step.microBeats)
  }

  /// From the loop's beginning to where it comes again; of a step grid the longest.
  var length: Beats { tracks.map(\.length).max() ?? .zero }
}
