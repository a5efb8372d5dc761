internal import JamCore

/// The actions on a note. Each `at` is in frames from its onset on.
extension SynthVoice {
  /// The local time of a frame of the coming block.
  @_noLocks func time(at offset: Int32) -> Int64 { time + Int64(Swift.max(0, offset - startOffset)) }

  /// Whether the note's end is known: its key was released, or the note has a fixed length.
  var isReleased: Bool { @_noLocks get { releaseAt < Int64.max } }

  /// Whether the note is not released yet.
  var isDown: Bool { @_noLocks get { releaseAt > time } }

  @_noLocks mutating func release(at: Int64) {
    guard !isReleased else { return }
    let attack = Swift.min(1 / patch.amp.attackStep, SynthVoice.longestAttack)
    // Finite: below 4,800.
    releaseAt = Swift.max(at, Int64(SynthVoice.shortest + attack))
  }

  /// Ends the note by a fade.
  @_noLocks mutating func fade(_ length: Int32, at: Int64) {
    fadeAt = at
    fadeLength = length
    isLeaving = true
  }

  /// Gives the note to another key: its pitch glides there.
  @_noLocks mutating func go(to pitch: Float, key: UInt8, isOwn: Bool, at: Int64) {
    self.key = key
    own.go(to: isOwn ? PanGains(left: 1, right: 1) : PanGains(left: 0, right: 0))
    keyBend = 0
    bend.target = busBend + patch.pitch
    if nextAt < Int64.max { glide(to: nextGoal) }
    nextGoal = Double(SynthMath.bounded(pitch, -24, 151))
    nextAt = at
  }

  @_noLocks mutating func glide(to pitch: Double) {
    goal = pitch
    // Finite: at most 40,000 ticks.
    glideLeft = Swift.max(SynthVoice.shortestGlide, Int32(patch.glide * SynthVoice.perFrame))
    glideStep = (goal - self.pitch) / Double(glideLeft)
  }

  /// The pitch that the note glides to.
  var aim: Double { @_noLocks get { nextAt < Int64.max ? nextGoal : goal } }

  @_noLocks mutating func setBend(key semitones: Float) {
    keyBend = SynthMath.bounded(semitones, -96, 96)
    bend.target = keyBend + busBend + patch.pitch
  }

  @_noLocks mutating func setBend(bus semitones: Float) {
    busBend = SynthMath.bounded(semitones, -96, 96)
    bend.target = keyBend + busBend + patch.pitch
  }

  @_noLocks mutating func setLevel(_ level: Float) { self.level.target = Voice.sane(level) }

  @_noLocks mutating func setHeight(_ height: Float) {
    self.height = SynthMath.bounded(height, 0, 1)
    if settings.followsHeight { remakePatch() } else { aimForPatch() }
  }

  @_noLocks mutating func set(_ settings: PatchSettings) {
    self.settings = settings
    remakePatch()
  }

  @_noLocks private mutating func remakePatch() {
    patch = SynthPatch(settings, velocity: velocity, height: height)
    bend.target = keyBend + busBend + patch.pitch
    if patch.spread > 0 && !isStereo {
      isStereo = true
      rightState = leftState
    }
    tuned = Double.infinity
    aimForPatch()
  }

  @_noLocks private mutating func aimForPatch() {
    let mix = patch.mix(height)
    first.go(to: patch.first.shape, level: patch.first.level * mix.first, width: patch.first.width)
    second.go(to: patch.second.shape, level: patch.second.level * mix.second, width: patch.second.width)
    sub.go(to: patch.sub == .sine ? .sine : .pulse, level: patch.subLevel, width: 0.5)
    noise.target = patch.noise
    spread.target = patch.spread
    loudness.target = patch.loudness(velocity: velocity, height: height)
    cutoff.target = patch.cutoff(velocity: velocity, height: height)
  }
}
