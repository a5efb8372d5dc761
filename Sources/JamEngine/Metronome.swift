internal import JamCore

/// The click: one on every counted beat of the tempo map, higher on the bar's first. It plays on a
/// bus of its own that never reaches the mix.
///
/// It works ahead with the rest of the engine and is delayed as the mix is, so that a beat at frame
/// F clicks on the tape's frame F.
/// Real-time safe except for `init` and `deinit`.
struct Metronome: ~Copyable {
  /// 15 ms: shorter than the shortest counted beat at the fastest tempo.
  static var clickFrames: Int { @_noLocks get { 720 } }

  private let bar: UnsafePointer<Float>
  private let beat: UnsafePointer<Float>
  /// The next frames of the output (`past` of them), then the coming block.
  private let memory: UnsafeMutablePointer<Float>
  private static var past: Int { @_noLocks get { Int(Engine.latency.count) } }
  private(set) var map: TempoMapView?
  private var gain = SmoothedGains(PanGains(left: 0, right: 0))
  /// The rest of the click that sounds: its next frame, and the number of frames that are left.
  private var source: UnsafePointer<Float>
  private var sourceLeft = 0
  /// Frames of the coming block that are written.
  private var done = 0
  private var silentFrames = Metronome.past
  /// Whether a cue carries the click, too.
  var isCued = false

  init() {
    bar = ClickSounds.shared.bar
    beat = ClickSounds.shared.beat
    source = beat
    memory = .allocate(capacity: Self.past + Int(Frames.perBuffer))
    memory.initialize(repeating: 0, count: Self.past + Int(Frames.perBuffer))
  }

  deinit { memory.deallocate() }

  @_noLocks mutating func set(gain linear: Float) {
    let gain = Voice.sane(linear)
    self.gain.go(to: PanGains(left: gain, right: gain))
  }

  /// Sets the clock from `offset` in the coming block on. Frames before it still click by the old
  /// map.
  @_noLocks mutating func set(_ map: TempoMapView, at offset: Int, blockFrame: Frames) {
    write(to: offset, blockFrame: blockFrame)
    self.map = map
  }

  /// The clicks of the block that begins at `blockFrame`, at full level. The result is valid until
  /// `render`.
  @_noLocks mutating func clicks(_ frames: Int, blockFrame: Frames) -> UnsafeMutablePointer<Float> {
    write(to: frames, blockFrame: blockFrame)
    return memory + Self.past
  }

  /// Renders the block that begins at `blockFrame`, and gives out the block that came
  /// `Engine.latency` earlier.
  /// - Parameter output: nil where the output is not needed yet.
  /// - Returns: false where the output is silent; `output` is then left as it is.
  @_noLocks mutating func render(_ frames: Int, blockFrame: Frames, to output: UnsafeMutablePointer<Float>?) -> Bool {
    if gain.isShut && silentFrames >= Self.past {
      // A click that nobody heard must not continue when the click is turned on again.
      if !isCued { sourceLeft = 0 }
      done = 0
      return false
    }
    write(to: frames, blockFrame: blockFrame)
    done = 0
    shape(frames)
    if let output { copy(from: memory, to: output, frames) }
    copy(from: memory + frames, to: memory, Self.past)
    return output != nil
  }

  @_noLocks private mutating func shape(_ frames: Int) {
    let ramp = gain.next(frames)
    silentFrames += frames
    var i = 0
    while i < frames {
      let value = memory[Self.past + i] * ramp.left(after: i)
      memory[Self.past + i] = value
      if value != 0 { silentFrames = 0 }
      i &+= 1
    }
  }

  /// Writes the clicks, at full level, up to frame `end` of the coming block.
  @_noLocks private mutating func write(to end: Int, blockFrame: Frames) {
    guard done < end else { return }
    guard isCued || !gain.isShut, let map, map.isPlaying else {
      play(to: end)
      return
    }
    var next = firstBeat(at: blockFrame + Frames(Int64(done)), of: map)
    while true {
      let frame = map.frame(at: next) - blockFrame
      guard frame.count < Int64(end) else { break }
      if frame.count >= Int64(done) {
        play(to: Int(frame.count))
        source = map.position(at: next).beat == 1 ? bar : beat
        sourceLeft = Self.clickFrames
      }
      next = map.countedBeat(atOrAfter: next + Beats(microBeats: 1))
    }
    play(to: end)
  }

  /// The counted beat that may be the first to sound at `frame` or later.
  ///
  /// A beat sounds on the nearest frame, so a beat up to half a frame earlier still belongs to
  /// `frame`. The result may also be a beat shortly before that.
  @_noLocks func firstBeat(at frame: Frames, of map: TempoMapView) -> Beats {
    map.countedBeat(atOrAfter: map.beat(atExact: Double(frame.count) - 0.5) - Beats(microBeats: 1))
  }

  /// Plays the rest of the click that sounds, or silence, up to frame `end`.
  @_noLocks private mutating func play(to end: Int) {
    while done < end {
      if sourceLeft > 0 {
        memory[Self.past + done] = source.pointee
        source += 1
        sourceLeft -= 1
      } else {
        memory[Self.past + done] = 0
      }
      done += 1
    }
  }

  @_noLocks private func copy(from: UnsafeMutablePointer<Float>, to: UnsafeMutablePointer<Float>, _ count: Int) {
    var i = 0
    while i < count {
      to[i] = from[i]
      i &+= 1
    }
  }
}
