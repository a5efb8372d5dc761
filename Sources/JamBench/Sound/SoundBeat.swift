internal import JamCore
internal import JamKit

/// A kit's demo beat, repeated.
struct SoundBeat {
  private let beat: DemoBeat

  /// - Parameter tempo: in bpm; nil is the kit's own tempo.
  init(of kit: Kit, tempo: Float? = nil) { beat = DemoBeat(of: kit, tempo: tempo) }

  func acts(seconds: Double, player: Int = 0) -> [SoundStage.Act] {
    let end = Int(seconds * Double(SoundStage.rate))
    let length = Int(beat.duration.count)
    let starts = stride(from: 0, to: end, by: length)
    return starts.flatMap { acts(of: beat.hits, at: $0, player: player) }.filter { $0.frame < end }
  }

  /// The first of the beat's bars.
  func firstBar(at start: Int, player: Int) -> [SoundStage.Act] {
    acts(of: beat.hits.filter { $0.step < DemoBeat.stepsPerBar }, at: start, player: player)
  }

  private func acts(of hits: [DemoBeat.Hit], at start: Int, player: Int) -> [SoundStage.Act] {
    hits.flatMap { hit -> [SoundStage.Act] in
      let frame = start + Int(beat.frame(ofStep: hit.step).count)
      var acts = [SoundStage.Act(frame, .hit(hit.pad, hit.velocity), player: player)]
      if let held = hit.held {
        let release = start + Int(beat.frame(ofStep: hit.step + held).count)
        acts.append(SoundStage.Act(release, .release(hit.pad), player: player))
      }
      return acts
    }
  }
}
