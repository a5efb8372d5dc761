public import JamCore
internal import JamRealtime

/// The sound of one room. Its owner pulls a buffer at a time. The engine obeys its command ring and
/// answers on its event ring.
///
/// The engine is passive: it owns no thread. All its memory is allocated in `init`; `EngineOwner`
/// keeps it at a fixed address.
public struct Engine: ~Copyable {
  let commands: Ring<EngineCommand>
  let events: Ring<EngineEvent>
  let tape: MixTape
  let status: EngineStatus
  var queue: CommandQueue
  var voices: VoicePool
  /// The notes that keys play.
  var notes: SynthPool
  var buses: Buses
  var rack: EffectRack
  var leveller: Leveller
  var master = SmoothedGains(PanGains(pan: 0))
  var pitch = Glide(1)
  var sweep = Sweep()
  var riser = Riser()
  var limiter = Limiter()
  var loudness = LoudnessMeter()
  var metronome = Metronome()
  var cues: Cues
  /// The parts of the mix, for rendering offline; nil where nobody wants them.
  let stems: UnsafeMutablePointer<Stems>?

  /// The version of the engine's sound. It grows with each change that is meant to be heard, so
  /// that a score tells which engine played it.
  ///
  /// 1. The first.
  /// 2. Leveller; a limiter that keeps the bass; transposition by longer kernels; rounder fades; a
  ///    stretch that keeps attacks.
  /// 3. Sums of transposed voices in eight lanes.
  /// 4. Voices that are cut off fade within 2 ms; the limiter lets go sooner, and of single peaks
  ///    at once; the leveller makes more room for many; drums of one layer are duller where they
  ///    are hit softly.
  /// 5. Kernels of more taps or narrower ranges at rates below 2/3, from 1.1 to 1.5 and from 3.36
  ///    on: fewer images and aliases.
  /// 6. Copies of one sound on one frame add up by power where the leveller is on; a loop on a pad
  ///    passes its place on to the sound that replaces it.
  /// 7. Heights and bends also reach notes whose length is known, as loops play them, and patches
  ///    of many notes.
  /// 8. The leveller remembers who stopped, holds still in build-ups, and lets a drop be louder. A
  ///    delay that becomes longer repeats nothing; the reverb is denser at its begin; compressor,
  ///    drive, chorus and the filter's macro keep the loudness of a beat.
  public static let version = 8

  /// The engine works this far ahead of the tape, because the limiter looks this far ahead.
  ///
  /// Commands name frames of the tape. A command meets its frame F if it is on the ring before the
  /// `render` that writes the tape from some frame T with F < T + latency + 120. `nextFrame` tells
  /// the first frame that commands can still meet.
  @inlinable public static var latency: Frames { @_noLocks get { Frames(64) } }

  /// The first frame of the tape that a command can still meet. Thread: the worker.
  public internal(set) var nextFrame = Frames.zero

  init(
    commands: Ring<EngineCommand>, events: Ring<EngineEvent>, tape: MixTape, status: EngineStatus, limits: Limits,
    isLevelled: Bool, stems: UnsafeMutablePointer<Stems>? = nil
  ) {
    precondition(Limiter.latency == Int(Engine.latency.count))
    self.commands = commands
    self.events = events
    self.tape = tape
    self.status = status
    queue = CommandQueue(limits: limits)
    voices = VoicePool(limits: limits)
    notes = SynthPool(limits: limits)
    buses = Buses(limits: limits)
    rack = EffectRack(limits: limits)
    leveller = Leveller(limits: limits, isOn: isLevelled)
    cues = Cues(count: tape.cueCount, busCount: limits.playersPerRoom)
    self.stems = stems
  }

  deinit {
    // Hits that are still on the ring hold their sounds. The queue and the voices release their
    // own.
    while let command = commands.pop() { command.action.use?.release() }
  }

  /// Renders the next 120 frames onto the tape. Thread: the worker. Real-time safe.
  ///
  /// Denormals must be flushed on the calling thread (`RealtimeThread`), so that every render gives
  /// the same bits.
  @_noLocks public mutating func render() {
    RealtimeScope.enter()
    // The limiter's look-ahead is filled before the first buffer comes out.
    if nextFrame.count == 0 { renderBlock(Int(Engine.latency.count), isOut: false) }
    renderBlock(Int(Frames.perBuffer), isOut: true)
    tape.commitBuffer()
    RealtimeScope.exit()
  }

  @_noLocks private mutating func renderBlock(_ frames: Int, isOut: Bool) {
    receiveCommands()
    applyCommands(frames)
    if rack.wantsBeats { duckOnBeats(frames) }
    riser.advance(frames)
    if riser.isTuned { tune(pitch.now * riser.ratio) }
    let hasMix = needsMix
    if hasMix {
      renderBuses(frames)
      let level = nextLevel(frames)
      leveller.finish(left: limiter.inputLeft, right: limiter.inputRight, frames: frames)
      amplifyMaster(level, frames)
      processMix(level, frames)
      if let stems { stems.pointee.shape(sweep, riser, frames: frames) }
      sweep.process(left: limiter.inputLeft, right: limiter.inputRight, frames: frames)
      riser.process(left: limiter.inputLeft, right: limiter.inputRight, frames: frames)
    } else {
      riser.rest()
      leveller.forgetSilent(at: nextFrame.count)
      rack.restMix()
      cues.differences.rest()
    }
    // The cues come before the limiter, because the limiter shifts its input.
    if cues.isAnyOpen { renderCues(frames, hasMix: hasMix) }
    if hasMix {
      limiter.process(frames)
      if isOut { writeMix() }
    } else if isOut {
      tape.silenceMix()
      loudness.rest(frames)
    }
    // Their limiters come behind it, because they follow it.
    if cues.isAnyOpen { cues.limit(frames, within: limiter, to: isOut ? tape : nil) }
    if let stems { stems.pointee.advance(frames) }
    let click = isOut ? tape.nextClick : nil
    let clicks = metronome.render(frames, blockFrame: nextFrame, to: click)
    if isOut, !clicks { tape.silenceClick() }
    nextFrame += Frames(Int64(frames))
    report()
  }
}
