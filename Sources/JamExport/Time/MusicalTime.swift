/// The clock of an exported file: beat 0 is at frame 0, and bar lines lie on whole counted beats.
///
/// The jam counts beats from its own beginning, and a session may begin anywhere, between two beats
/// too. A file begins at beat 0. `MusicalTime+PickUp.swift` says how the two meet.
struct MusicalTime: Sendable {
  struct Stretch: Hashable, Sendable {
    var frame: Double
    /// Quarter notes since frame 0.
    var beat: Double
    var framesPerBeat: Double

    var beatsPerMinute: Double { MusicalTime.framesPerMinute / framesPerBeat }
  }

  static let framesPerMinute = Double(60 * ExportSession.framesPerSecond)
  /// The meaning of an empty list of tempos.
  static let defaultTempo = 120.0

  /// At least one; the first is at frame 0, and frames and beats grow.
  private(set) var stretches: [Stretch]
  /// At least one; the first is at beat 0. `beat` counts from frame 0.
  private(set) var signatures: [SignatureChange]
  /// The session's length in quarter notes.
  private(set) var endBeat = 0.0

  init(_ session: ExportSession) {
    let given = MusicalTime.cleaned(session.tempo)
    stretches = MusicalTime.joined(given)
    signatures = MusicalTime.cleaned(session.signatures, given: given, joined: stretches)
    alignBars()
    endBeat = beat(atFrame: Double(max(0, session.frames)))
  }

  /// With everything in the file's own count.
  init(stretches: [Stretch], signatures: [SignatureChange]) {
    self.stretches = stretches
    self.signatures = signatures
  }

  func beat(atFrame frame: Double) -> Double {
    let stretch = stretches[MusicalTime.last(stretches, where: { $0.frame <= frame })]
    return stretch.beat + (frame - stretch.frame) / stretch.framesPerBeat
  }

  func frame(atBeat beat: Double) -> Double {
    let stretch = stretches[MusicalTime.last(stretches, where: { $0.beat <= beat })]
    return stretch.frame + (beat - stretch.beat) * stretch.framesPerBeat
  }

  /// Moves from the jam's count to the file's.
  mutating func replace(stretches: [Stretch], signatures: [SignatureChange]) {
    self.stretches = stretches
    self.signatures = signatures
  }

  /// The last element of a sorted list that still fulfils `condition`, or the first.
  private static func last<Element>(_ list: [Element], where condition: (Element) -> Bool) -> Int {
    var low = 0
    var high = list.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if condition(list[middle]) { low = middle } else { high = middle }
    }
    return low
  }
}

extension MusicalTime {
  /// The stretches within the session that change the tempo, the first always.
  var steps: [Stretch] {
    var steps: [Stretch] = []
    for stretch in stretches where stretch.beat < endBeat || steps.isEmpty {
      if let last = steps.last, abs(last.framesPerBeat - stretch.framesPerBeat) < 1e-9 { continue }
      steps.append(stretch)
    }
    return steps
  }
}
