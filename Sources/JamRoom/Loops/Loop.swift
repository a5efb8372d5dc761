internal import JamCore
internal import JamEngine

/// A player's loop: layers of hits that go round together, on the room's beat.
struct Loop: Equatable, Sendable {
  /// Of a loop that is recorded from now on.
  var bars = 4
  /// The present loop's: as asked for when its first pass began, or fewer if that ended early.
  var recordedBars = 4
  /// By number from 1; nil is a free one.
  var layers: [Layer?] = []
  var grid = StepGrid()
  /// Zero while there is no layer.
  var length = Beats.zero
  /// A bar line on which the loop begins: every cycle lies a whole number of lengths from it.
  var origin = Beats.zero
  private(set) var motion = Motion.standing
  /// The action for a bar line. No motion excludes it: a pass may be waited for, and its end, too.
  var waiting: WaitingAction<LoopAction>?
  /// The hits since a pass was waited for or began.
  var captured: [CapturedHit] = []
  /// The number of passes so far; the passes that may still get hits; and these hits.
  private(set) var passes = 0
  var closed: [ClosedPass] = []
  var late: [LateHit] = []
  /// Its present pass, or the last one, began with a tap; nil is on a bar line.
  var tap: FirstTap?

  enum Motion: Equatable, Sendable {
    case standing
    case playing
    /// Hits of its first pass were heard and sound later: the loop counts as if it had them.
    case awaiting(goesRound: Bool)
    /// It goes round, and hits are taken down.
    case passing(Pass)
  }

  var pass: Pass? { if case .passing(let pass) = motion { pass } else { nil } }

  /// Whether it goes round.
  @inline(__always) var isPlaying: Bool {
    switch motion {
    case .standing: false
    case .awaiting(let goesRound): goesRound
    case .playing, .passing: true
    }
  }

  /// Whether hits of its first pass are on their way.
  @inline(__always) var isAwaited: Bool {
    switch motion {
    case .standing, .playing: false
    case .awaiting: true
    case .passing(let pass): pass.followsAwaited
    }
  }

  /// A pass is under way, or an action waits for a bar line.
  var isBusy: Bool { pass != nil || waiting != nil }
  /// A pass is to begin on a bar line, and none is under way.
  var waitsForPass: Bool { pass == nil && waiting?.action.isPass == true }
  /// A pass is to begin with the player's next hit. Inlined: each hit asks.
  var waitsForTap: Bool { @inline(__always) get { waiting?.line == Loop.onTap } }
  /// The line of an action that waits for the player's next hit, and for no line.
  static let onTap = LoopSchedule.noBeat
  /// There is nothing to play, to stop or to clear.
  var hasNothing: Bool { isEmpty && !isAwaited && !isBusy }
  /// Something of it is heard again and again.
  var goesRound: Bool { isPlaying && !isEmpty }

  var isEmpty: Bool { layers.allSatisfy { $0 == nil } }
  /// Nothing in it was recorded: the next pass makes it as long as `bars` say.
  var isUnrecorded: Bool { layers.allSatisfy { $0?.isSteps ?? true } }
  /// Its length comes from a recording, not from `bars`.
  var isLengthFixed: Bool { !isUnrecorded || isAwaited }
  /// Of the loop that there is, or of the next one.
  var shownBars: Int { isLengthFixed ? recordedBars : bars }
  /// nil while the loop is nothing but an intention.
  var knownLength: Beats? { isEmpty && !isAwaited && pass == nil ? nil : length }
  var layerCount: Int { layers.lazy.filter { $0 != nil }.count }

  /// The number of a layer that is free; nil beyond `most`.
  func freeLayer(most: Int) -> Int? {
    let number = (layers.firstIndex { $0 == nil } ?? layers.count) + 1
    return number <= most ? number : nil
  }

  subscript(number: Int) -> Layer? {
    get { layers.indices.contains(number - 1) ? layers[number - 1] : nil }
    set {
      while layers.count < number { layers.append(nil) }
      layers[number - 1] = newValue
    }
  }

  func layer(_ number: Int) throws(Refusal) -> Layer {
    if let layer = self[number] { return layer }
    throw noSuchLayer(number)
  }

  /// The layers that a block is made of.
  /// - Parameter number: 0 is all layers that are not muted.
  func layers(ofBlock number: Int) -> [Layer] {
    number == 0 ? layers.compactMap { $0 }.filter { !$0.isMuted } : [self[number]].compactMap { $0 }
  }

  func noSuchLayer(_ number: Int) -> Refusal {
    .noSuchLayer(number, layers: layers.indices.filter { layers[$0] != nil }.map { $0 + 1 })
  }

  /// The place of `beat` in the loop: 0 ..< length.
  func position(of beat: Beats) -> Beats {
    guard length > .zero else { return .zero }
    let into = (beat - origin).microBeats % length.microBeats
    return Beats(microBeats: into < 0 ? into + length.microBeats : into)
  }

  /// The place of `beat` in it as a share of its length; nil while it stands.
  func share(at beat: Beats) -> Float? {
    isPlaying && length > .zero ? Float(position(of: beat).value / length.value) : nil
  }

  var state: String {
    if let pass { return pass.isOverdub ? "overdubbing" : "recording" }
    if waiting != nil { return "waiting" }
    return isEmpty && !isAwaited ? "empty" : isPlaying ? "playing" : "stopped"
  }
}

extension Loop {
  /// It goes round, or stands; a pass under way goes on.
  mutating func setPlaying(_ isPlaying: Bool) {
    switch motion {
    case .standing, .playing: motion = isPlaying ? .playing : .standing
    case .awaiting: motion = .awaiting(goesRound: isPlaying)
    case .passing: break
    }
  }

  /// A pass under way is over; the loop goes round.
  mutating func endPass() {
    if let pass { motion = pass.followsAwaited ? .awaiting(goesRound: true) : .playing }
  }

  mutating func beginPass(_ pass: Pass) {
    var pass = pass
    pass.followsAwaited = isAwaited
    motion = .passing(pass)
  }

  /// The pass under way is over: it is one more that may still get hits.
  mutating func closePass() {
    endPass()
    passes += 1
  }

  /// There were so many before.
  mutating func countPasses(from count: Int) { passes = max(0, count) }

  mutating func setEarlyHits(_ hasEarlyHits: Bool) {
    guard var pass, pass.hasEarlyHits != hasEarlyHits else { return }
    pass.hasEarlyHits = hasEarlyHits
    motion = .passing(pass)
  }

  mutating func setAwaited(_ isAwaited: Bool) {
    switch motion {
    case .standing, .playing, .awaiting:
      motion = isAwaited ? .awaiting(goesRound: isPlaying) : isPlaying ? .playing : .standing
    case .passing(var pass):
      pass.followsAwaited = isAwaited
      motion = .passing(pass)
    }
  }
}

/// An action of a loop or a lane, and the bar line that it waits for.
struct WaitingAction<Action: Equatable & Sendable>: Equatable, Sendable {
  var action: Action
  var line: Beats
}

/// One pass of a loop, or its step grid.
struct Layer: Equatable, Sendable {
  /// One; of a step grid one for each pad that has steps.
  var tracks: [Track]
  var isSteps = false
  var isMuted = false
  /// dB.
  var gain: Float = 0
  /// The beat at which it was made, unmuted or brought back: nothing of it sounds before.
  var begin: Beats
  /// The loop's pass of which it was made; 0 is none.
  var pass = 0
  /// The tie to a layer of another player.
  var loan: Loan?

  var hitCount: Int { tracks.reduce(0) { $0 + $1.hits.count } }

  /// It sounds from `beat` on. Nothing of it counts as sent: the beats may have begun anew since.
  mutating func begin(at beat: Beats) {
    begin = beat
    for track in tracks.indices { tracks[track].sent = nil }
  }
}

/// Hits that go round together.
struct Track: Equatable, Sendable {
  /// By position.
  var hits: [LoopHit]
  /// Hits behind it do not sound.
  var length: Beats
  /// Of a step grid's: all its hits are this pad's.
  var steps: Pad?
  /// Its hits lie on sixteenths, which swing: a step grid's, and a block's that were steps.
  var swings = false
  /// The place of the last hit sent: no hit up to it comes again if a change of swing delays it.
  var sent: Beats?
  /// The next hit and its time.
  var next: NextHit?

  struct NextHit: Equatable, Sendable {
    /// The beginning of its cycle.
    var cycle: Beats
    var index: Int
    var frame: Frames
  }
}

/// A hit of a layer, with its sound and settings of then: each cycle sounds as the first did.
struct LoopHit: Equatable, Sendable {
  /// From the loop's beginning.
  var position: Beats
  /// The hold of a gated hit; nil rings out.
  var length: Beats?
  /// Of the hit when it was played.
  var sequence: UInt32
  var velocity: Velocity
  var start: VoiceStart
  /// The sound whose memory `start` reads.
  var sound: PlayableSound
  /// The pad as it was, for blocks.
  var voicing: Voicing
  /// Of a block's: it swings.
  var isStep = false
  /// The hand's moves of a key's note while it sounded.
  var moves: [NoteMove] = []
}

/// Something that lies at a place of a loop or a block.
protocol Placed {
  /// From the beginning.
  var position: Beats { get }
}

extension LoopHit: Placed {}
extension BlockHit: Placed {}

extension Array where Element: Placed {
  /// Behind those at the same place: in the order in which they were played.
  mutating func place(_ hit: Element) { insert(hit, at: firstIndex { $0.position > hit.position } ?? count) }
}

/// A loop's pass that is being taken down.
struct Pass: Equatable, Sendable {
  var start: Beats
  var end: Beats
  var isOverdub: Bool
  /// Some came shortly before it, and have not come round yet.
  var hasEarlyHits = false
  /// It began while hits of the first pass were on their way.
  var followsAwaited = false
  /// The player's number of edits when the recording, or the overdub's first pass, began.
  var edits = 0
}

/// A hit on its way into a layer.
struct CapturedHit: Equatable, Sendable {
  /// The beat at which it is recorded.
  var beat: Beats
  /// The loop's beat for it: a recording's grid may have moved it, and does again as the pass ends.
  var kept: Beats
  /// Its time is a finger's: a recording's grid may move it.
  var isByHand = false
  var sounds: Beats
  /// The beat that its player heard.
  var heard: Beats?
  var sequence: UInt32
  var velocity: Velocity
  var start: VoiceStart
  var sound: PlayableSound
  var voicing: Voicing
  /// The release of a gated hit: so much after `beat` as it was held.
  var released: Beats?
  /// The hand's moves of a key's note while the hand held it.
  var gesture = Gesture()
  /// It came early for its pass, and has sounded at the pass's end.
  var isRepeated = false
}
