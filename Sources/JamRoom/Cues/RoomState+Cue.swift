internal import JamCore
internal import JamEngine
internal import JamRealtime

/// Sound for one player alone: previews, and the click in its own streams. None of it is in the
/// log: it is no part of the music, and takes none of its numbers.
extension RoomState {
  /// A choke group that no pad has: a preview of a sound ends the one before it.
  private static let samplePreviews: UInt8 = 255

  // MARK: Streams

  /// Other streams are open than before. Thread: whoever steps the state.
  mutating func streamsChanged(_ open: OpenStreams) {
    cues.streams = open
    cues.told = open.revision
    for number in cues.places.indices {
      let wanted = open.cues.first { Int($0.number) == number }
      guard cues.places[number]?.ticket != wanted?.ticket else { continue }
      if cues.places[number] != nil { tellCue(.closeCue(UInt8(number)), at: .zero) }
      cues.places[number] = wanted.map { cue in
        Cue(
          ticket: cue.ticket, player: roster.player(token: cue.token),
          isWithoutOwn: cue.isWithoutOwn)
      }
      guard let wanted else { continue }
      guard let player = cues.places[number]?.player else {
        if wanted.isWithoutOwn { openMixAsCue(number, ticket: wanted.ticket, at: .zero) }
        continue
      }
      tellCue(
        .openCue(
          UInt8(number), for: player, ticket: wanted.ticket, click: clickOnCue(of: player),
          withoutOwn: wanted.isWithoutOwn), at: .zero)
      mixCue(number, of: player, at: .zero)
    }
  }

  /// A command about a cue was lost: all of them are told again with the next `streamsChanged`.
  mutating func forgetCues() {
    cues.told = 0
    for number in cues.places.indices { cues.places[number] = cues.places[number].map { _ in Cue(ticket: 0) } }
  }

  /// A change of the player's click is heard on its cues.
  mutating func updateCue(of id: PlayerID, at frame: Frames) {
    for number in cues.places.indices where cues.isCue(number, of: id) {
      let mix: Float = loopers[id].focus == nil ? 1 : 0
      tellCue(.cueLevels(UInt8(number), mix: mix, click: clickOnCue(of: id)), at: frame)
    }
  }

  /// The player leaves: what sounds on its cues rings out, and the mix goes on as everybody hears
  /// it.
  mutating func leaveCue(of id: PlayerID, at frame: Frames) {
    for number in cues.places.indices where cues.isCue(number, of: id) {
      cues.places[number]?.player = nil
      cues.places[number]?.wantedSample = nil
      if let cue = cues.places[number], cue.isWithoutOwn {
        // The next player in the place may sound hits of its own, which this stream must not miss.
        tellCue(.closeCue(UInt8(number)), at: frame)
        openMixAsCue(number, ticket: cue.ticket, at: frame)
        continue
      }
      tellCue(.cueLevels(UInt8(number), mix: 1, click: 0), at: frame)
      for bus in roster.occupied where !channels[id].mine[roster[bus].name].isLevel {
        tellCueGain(number, of: bus, 1, at: frame)
      }
    }
  }

  private func clickOnCue(of id: PlayerID) -> Float {
    channels[id].hasClick ? Decibels.gain(channels[id].metronomeGain) : 0
  }

  /// A stream without own hits is silent while no cue is made for it. Once its player has left, its
  /// cue is the mix.
  private mutating func openMixAsCue(_ number: Int, ticket: UInt64, at frame: Frames) {
    let nobody = PlayerID(index: 0)
    tellCue(
      .openCue(UInt8(number), for: nobody, ticket: ticket, click: 0, withoutOwn: false), at: frame)
  }

  /// A cue was opened with all buses as everybody hears them: it gets its player's own mix.
  private mutating func mixCue(_ number: Int, of id: PlayerID, at frame: Frames) {
    guard !channels[id].mine.isEmpty else { return }
    for bus in roster.occupied {
      let entry = channels[id].mine[roster[bus].name]
      if !entry.isLevel { tellCueGain(number, of: bus, entry.factor, at: frame) }
    }
  }

  mutating func tellCueGain(_ number: Int, of bus: PlayerID, _ gain: Float, at frame: Frames) {
    tellCue(.cueGain(cue: UInt8(number), bus: bus, gain: gain), at: frame)
  }

  /// Unstamped: it has the number of the command before it, and is not logged.
  private mutating func tellCue(_ action: EngineAction, reads sound: PlayableSound? = nil, at frame: Frames) {
    outbox.append(.engine(EngineCommand(sequence: session.tally.sequence, frame: frame, action: action), reads: sound))
  }

  // MARK: Previews

  func checkPreview(_ pad: Pad, by id: PlayerID) throws(Refusal) {
    try requireCue(of: id)
    guard hands.read(pad, of: id, { $0.sound != nil }) else { throw .padEmpty(pad) }
  }

  /// Plays the pad once as at full velocity, to its end, before mutes and solos, without chance.
  mutating func preview(_ pad: Pad, by id: PlayerID, at moment: Moment) {
    let state = hands[id][pad]
    guard let sound = state.sound else { return }
    for number in cues.places.indices where cues.isCue(number, of: id) {
      cues.places[number]?.wantedSample = nil
      preview(
        sound, turn: state.turn, pad, state.settings, choke: state.settings.choke, on: number,
        of: id, at: effectFrame(moment))
    }
  }

  func checkPreview(_ text: String, by id: PlayerID) throws(Refusal) {
    try requireCue(of: id)
    switch library.sampleID(of: text) {
    case .own: break
    case .pad(let pad, let kitID):
      guard let kit = library.kits.first(where: { $0.id == kitID }) else { throw .noSuchKit(kitID) }
      guard kit[pad] != nil else { throw .kitPadEmpty(pad, kit: kit.id) }
    case .patch, .nothing, nil: throw .noSuchSound(text, isPreview: true)
    }
  }

  /// Any sound, with the settings of its kit.
  mutating func preview(_ text: String, by id: PlayerID, at moment: Moment) {
    guard cues.isHeard(id), let sample = library.sampleID(of: text) else { return }
    want(sample, by: id)
    switch sample {
    case .own(let hash):
      guard let own = library.ownSounds.last(where: { $0.id == sample }) else {
        return outbox.append(.loadOwnSound(hash: hash))
      }
      for number in cues.places.indices where cues.isCue(number, of: id) {
        preview(PadSound(own), PadSettings(), on: number, at: effectFrame(moment))
      }
    case .pad(let pad, let kit):
      guard let playable = library.loaded[kit] else { return outbox.append(.loadKit(id: kit)) }
      for number in cues.places.indices where cues.isCue(number, of: id) {
        preview(pad, of: playable, on: number, at: effectFrame(moment))
      }
    case .patch, .nothing: break
    }
  }

  /// The player's cues play the sound as soon as it has been read.
  private mutating func want(_ sample: SampleID, by id: PlayerID) {
    for number in cues.places.indices where cues.isCue(number, of: id) {
      cues.places[number]?.wantedSample = sample
    }
  }

  /// A kit was read that somebody may have wanted to hear a sound of.
  mutating func previewArrived(_ kit: PlayableKit, at frame: Frames) {
    for number in cues.places.indices {
      guard case .pad(let pad, kit.kit.id)? = cues.places[number]?.wantedSample else { continue }
      guard kit.zones.isEmpty else {
        preview(kit, on: number, at: frame)
        continue
      }
      preview(pad, of: kit, on: number, at: frame)
    }
  }

  /// A sound of somebody's own was read.
  mutating func previewArrived(_ sound: OwnSound, at frame: Frames) {
    for number in cues.places.indices where cues.places[number]?.wantedSample == sound.id {
      preview(PadSound(sound), PadSettings(), on: number, at: frame)
    }
  }

  mutating func previewFailed(_ kit: String, reason: Refusal) {
    previewFailed(reason: reason) { if case .pad(_, kit) = $0 { true } else { false } }
  }

  mutating func previewFailed(reason: Refusal, of isIt: (SampleID) -> Bool) {
    var told: Set<PlayerID> = []
    for number in cues.places.indices {
      guard let wanted = cues.places[number]?.wantedSample, isIt(wanted), let id = cues.places[number]?.player else {
        continue
      }
      cues.places[number]?.wantedSample = nil
      // A player may have two cues.
      guard told.insert(id).inserted else { continue }
      outbox.append(.tell(.refused(.previewSample("\(wanted)"), reason), .player(id)))
    }
  }

  private mutating func preview(_ pad: Pad, of kit: PlayableKit, on number: Int, at frame: Frames) {
    var sound = PadSound(pad, of: kit)
    sound.playable = kit[pad]
    preview(sound, kit.kit[pad]?.settings ?? PadSettings(), on: number, at: frame)
  }

  private mutating func preview(_ sound: PadSound, _ settings: PadSettings, on number: Int, at frame: Frames) {
    cues.places[number]?.wantedSample = nil
    guard let id = cues.places[number]?.player, let playable = sound.playable else { return }
    preview(
      playable, turn: 0, Pad.all[0], settings, choke: RoomState.samplePreviews, on: number, of: id, at: frame)
  }

  private mutating func preview(
    _ pad: PlayablePad, turn: Int, _ place: Pad, _ settings: PadSettings, choke: UInt8, on number: Int,
    of id: PlayerID, at frame: Frames
  ) {
    let choice = pad.choose(.full, turn: turn)
    let sound = choice.sound
    let audible = audibleLevel(of: id)
    var gain = PanGains(pan: settings.pan)
    gain.left *= choice.gain * audible
    gain.right *= choice.gain * audible
    let start = VoiceStart(
      sample: sound.view, use: sound.use, bus: id, pad: place, gain: gain, level: Decibels.gain(settings.gain),
      rate: Decibels.ratio(semitones: settings.transpose), startFrame: Int32(saturating: settings.start * 48),
      decayFrames: Int32(saturating: settings.decay * 48), choke: choke, voices: 1)
    tellCue(.preview(start, cue: UInt8(number)), reads: sound, at: frame)
  }

  func checkPreviewInstrument(_ text: String, by id: PlayerID) throws(Refusal) {
    try requireCue(of: id)
    try setup.instruments.requireNamed(text)
  }

  /// A chord of the room's key, or a low note of a bass: tries an instrument before it is chosen.
  mutating func previewInstrument(_ text: String, by id: PlayerID, at moment: Moment) {
    guard cues.isHeard(id), let instrument = setup.instruments.find(text) else { return }
    guard !instrument.isSampled else {
      want(.pad(Pad.all[0], of: instrument.id), by: id)
      guard let samples = library.loaded[instrument.id] else { return outbox.append(.loadKit(id: instrument.id)) }
      for number in cues.places.indices where cues.isCue(number, of: id) {
        preview(samples, on: number, at: effectFrame(moment))
      }
      return
    }
    let sound = PatchSounds.sound(of: Patch(id: instrument.id, settings: instrument.patch))
    let audible = audibleLevel(of: id)
    for key in previewKeys(instrument.category) {
      var start = VoiceStart(
        sample: sound.view, use: sound.use, bus: id, pad: key, gain: PanGains(pan: 0), level: audible, voices: 1)
      start.patch = sound.patch
      start.velocity = RoomState.previewVelocity
      start.holdFrames = RoomState.previewHold
      for number in cues.places.indices where cues.isCue(number, of: id) {
        tellCue(.preview(start, cue: UInt8(number)), reads: sound, at: effectFrame(moment))
      }
    }
  }

  private func previewKeys(_ category: String) -> [Pad] {
    let isBass = category == "bass"
    return mix.key.chord(on: 0, size: isBass ? 1 : 3, from: isBass ? 36 : 60).compactMap { Pad(key: $0) }
  }

  /// The same of recorded sounds, as its file sets them.
  private mutating func preview(_ samples: PlayableKit, on number: Int, at frame: Frames) {
    cues.places[number]?.wantedSample = nil
    guard let id = cues.places[number]?.player, let velocity = Velocity(RoomState.previewVelocity) else { return }
    let patch = setup.instruments.find(samples.kit.id)?.patch ?? .ofSamples
    for key in previewKeys(samples.kit.category) {
      guard let plays = samples.plays(key, patch) else { continue }
      let choice = plays.sound.choose(velocity, turn: 0)
      var start = RoomState.start(of: choice, key, velocity, plays.settings, by: id, number: 0)
      start.level *= audibleLevel(of: id)
      start.isGated = false
      start.holdFrames = RoomState.previewHold
      tellCue(.preview(start, cue: UInt8(number)), reads: choice.sound, at: frame)
    }
  }

  private static let previewVelocity: Float = 0.8
  /// 0.7 s.
  private static let previewHold: Int32 = 33_600

  /// The gain of a hit by the player's channel and the master, through which no cue goes. A closed
  /// fader counts as 0 dB, for people listen ahead of opening it.
  private func audibleLevel(of id: PlayerID) -> Float {
    [channels[id].gain, channels[id].hostGain, mix.masterGain].reduce(1) {
      $0 * ($1 > Decibels.silence ? Decibels.gain($1) : 1)
    }
  }

  func requireCue(of id: PlayerID) throws(Refusal) {
    guard !cues.isHeard(id) else { return }
    throw .cueUnheard(room: name, player: cueName(of: id))
  }

  /// A hit of the block that is focused on.
  mutating func cueHit(_ hit: LoopHit, hold: Int32, of id: PlayerID, at frame: Frames) {
    for number in cues.places.indices where cues.isCue(number, of: id) {
      var start = hit.start
      start.isGated = false
      start.holdFrames = hold
      tellCue(.preview(start, cue: UInt8(number)), reads: hit.sound, at: frame)
    }
  }

  // MARK: At the door

  /// A hit of a player who waits at the door, as loud as it would be in the mix. One that its
  /// client sounds itself is only in cues with own hits.
  mutating func hitOnCue(
    _ start: VoiceStart, _ sound: PlayableSound, of id: PlayerID, at frame: Frames
  ) {
    guard cues.isHeard(id) else { return }
    var start = start
    start.level *= audibleLevel(of: id)
    // A release may get lost with a full ring: no note sounds for ever.
    if start.isGated { start.holdFrames = RoomState.longestAtDoor }
    for number in cues.places.indices where cues.isCue(number, of: id) {
      if start.isOwn, cues.places[number]?.isWithoutOwn == true { continue }
      tellCue(.preview(start, cue: UInt8(number)), reads: sound, at: frame)
    }
  }

  mutating func releaseOnCue(_ pad: Pad, of id: PlayerID, at frame: Frames) {
    for number in cues.places.indices where cues.isCue(number, of: id) {
      tellCue(.releasePreview(pad, cue: UInt8(number)), at: frame)
    }
  }

  /// 30 s.
  private static let longestAtDoor: Int32 = 1_440_000

  // MARK: How to hear it

  /// The metronome was switched on and nothing carries its click: without a word, it looks broken.
  mutating func tellUnheardClick(of id: PlayerID) {
    // Nobody listens while a score is played.
    guard let streams = cues.streams, channels[id].hasClick, !streams.carriesClick, !mix.speakersClick,
      !cues.isHeard(id)
    else {
      return
    }
    let refusal = Refusal.clickUnheard(room: name, player: cueName(of: id))
    outbox.append(.tell(.refused(.set(.metronome, .bool(true)), refusal), .asker))
  }

  /// The name for opening the player's cue; a guest has none.
  private func cueName(of id: PlayerID) -> PlayerName? { roster[id].isGuest ? nil : roster[id].name }
}

extension Command {
  /// Whether its effect depends on the open streams.
  var asksForCue: Bool {
    switch self {
    case .preview, .previewSample, .previewBlock, .focus, .set(.metronome, _), .toggle(.metronome): true
    default: false
    }
  }
}
