import JamCore

/// The room's clock over the whole score as MIDI can say it: stretches of constant tempo, with ticks that never go back.
///
/// A transport that starts anew begins at beat 0 again; here the ticks go on.
struct MIDIRuler {
  struct Stretch {
    var tick: Int
    var microsecondsPerBeat: Int
    /// Where it begins to hold; nil where it is as before.
    var signature: TimeSignature?
  }

  private struct Revision {
    var frame: Frames
    var map: TempoMap
    /// Of `frame`.
    var tick: Double
  }

  private var revisions: [Revision] = []
  private(set) var stretches: [Stretch] = []

  init(_ maps: [(frame: Frames, map: TempoMap)]) {
    for (frame, map) in maps {
      let tick = revisions.last.map { MIDIRuler.tick(at: frame, in: $0) } ?? 0
      revisions.append(Revision(frame: frame, map: map, tick: tick))
    }
    var signature: TimeSignature?
    for (i, revision) in revisions.enumerated() {
      let end = i + 1 < revisions.count ? revisions[i + 1].frame : Frames(.max)
      addStretches(of: revision, until: end, &signature)
    }
  }

  func tick(at frame: Frames) -> Int {
    let revision = revisions.last { $0.frame <= frame } ?? revisions[0]
    return Int(MIDIRuler.tick(at: frame, in: revision).rounded())
  }

  private static func tick(at frame: Frames, in revision: Revision) -> Double {
    let beats = revision.map.view.beat(at: frame) - revision.map.view.beat(at: revision.frame)
    return revision.tick + beats.value * Double(MIDIFile.division)
  }

  /// One stretch for each segment of the revision before `end`; a curved segment gets the one tempo that takes its time.
  private mutating func addStretches(of revision: Revision, until end: Frames, _ last: inout TimeSignature?) {
    let view = revision.map.view
    let first = view.beat(at: revision.frame)
    var starts = [first]
    starts += revision.map.tempos.map(\.startBeat) + revision.map.signatures.map(\.startBeat)
    starts = Set(starts.filter { $0 >= first && view.frame(at: $0) < end }).sorted()
    for (i, beat) in starts.enumerated() {
      let next = i + 1 < starts.count ? starts[i + 1] : beat + Beats(1)
      let seconds = (view.exactFrame(at: next) - view.exactFrame(at: beat)) / 48_000
      let signature = view.signature(at: beat).signature
      stretches.append(
        Stretch(
          tick: Int((revision.tick + (beat - first).value * Double(MIDIFile.division)).rounded()),
          microsecondsPerBeat: Int((seconds * 1_000_000 / (next - beat).value).rounded()),
          signature: signature == last ? nil : signature))
      last = signature
    }
  }
}
