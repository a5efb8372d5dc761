internal import JamCore

/// Other sounds on single pads: any pad of any kit, or one that somebody brought along.
extension RoomState {
  mutating func choose(
    _ text: String, on pad: Pad, by id: PlayerID, at moment: Moment
  ) throws(Refusal) {
    if let own = library.broughtAlong(text) {
      try choose(own, called: text, on: pad, by: id, at: moment)
    } else if let sample = SampleID(text) {
      try choose(sample, on: pad, by: id, at: moment)
    } else {
      throw .noSuchSound(text, isPreview: false)
    }
  }

  /// The next or previous sound of the pad's own category, through all kits in their order, then through what was brought along.
  mutating func browse(
    _ pad: Pad, by step: Int, for id: PlayerID, at moment: Moment
  ) throws(Refusal) {
    let state = hands[id][pad]
    let current = state.wish.sample ?? state.sample
    guard let category = library.category(of: current) ?? state.description?.category else {
      throw .nothingToBrowse(pad)
    }
    // A sound of several names is one stop on the way.
    var known: Set<SampleID> = []
    let all = library.samples(of: category).map(\.id).filter { known.insert($0).inserted }
    guard !all.isEmpty else { return }
    let place = all.firstIndex(of: current) ?? (step > 0 ? -1 : 0)
    try choose(all[(place + step + all.count) % all.count], on: pad, by: id, at: moment)
  }

  mutating func choose(
    _ sample: SampleID, called name: String? = nil, on pad: Pad, by id: PlayerID, at moment: Moment,
    isEdit: Bool = true
  ) throws(Refusal) {
    try roster.requireUnlocked(.kits, id)
    switch sample {
    case .pad(let source, let kitID):
      if isEdit { try library.requireSound(source, of: kitID) } else { _ = library.kitToRestore(kitID) }
      ask(sample, on: pad, by: id, at: effectFrame(moment), isEdit: isEdit)
      if let playable = library.loaded[kitID] {
        give(PadSound(source, of: playable), on: pad, to: id, at: effectFrame(moment))
      } else {
        outbox.append(.loadKit(id: kitID))
      }
    case .own(let hash):
      ask(sample, on: pad, by: id, at: effectFrame(moment), isEdit: isEdit)
      hands[id][pad].wish.name = name
      if let own = library.ownSounds.last(where: { $0.id == sample }) {
        give(PadSound(library.listed(own, as: name)), on: pad, to: id, at: effectFrame(moment))
      } else if !isEdit, library.awaySounds.contains(sample), let away = OwnSound.away(sample) {
        give(PadSound(away), on: pad, to: id, at: effectFrame(moment))
      } else {
        outbox.append(.loadOwnSound(hash: hash))
      }
    case .patch: throw .noSuchSound("\(sample)", isPreview: false)
    }
  }

  /// What was asked for is an edit, whenever it arrives.
  private mutating func ask(
    _ sample: SampleID, on pad: Pad, by id: PlayerID, at frame: Frames, isEdit: Bool
  ) {
    if isEdit { use(.sound, "\(sample)", by: id) }
    let before = PadEdit(hands[id][pad])
    hands[id][pad].wish.sample = sample
    hands[id][pad].wish.stretch = PadStretch(quality: before.settings.stretchQuality)
    hands[id][pad].wish.beats = library.beats(of: sample)
    let after = PadEdit(hands[id][pad])
    if isEdit { remember(.pad(pad, before, after, moved: nil), of: id, at: frame) }
  }

  /// - Parameter isEdit: nobody has asked for it before.
  mutating func give(
    _ sound: PadSound, on pad: Pad, to id: PlayerID, at frame: Frames, isEdit: Bool = false
  ) {
    fixWaiting(on: pad, of: id)
    let before = PadEdit(hands[id][pad])
    hands[id][pad].wish.sample = nil
    hands[id][pad].play(sound)
    if isEdit {
      remember(.pad(pad, before, PadEdit(hands[id][pad]), moved: nil), of: id, at: frame)
    }
    commit(
      .command(.set(.padSample(pad), .text("\(sound.id)"))), by: id, at: frame)
    // Nothing of it is left to be stretched, but how carefully counts for the next.
    if let quality = hands[id][pad].unheardQuality {
      hands[id][pad].heardStretch.quality = quality
      commit(
        .command(.set(.pad(.stretchQuality, pad), .text(quality.rawValue))), by: id, at: frame)
    }
    if !isEdit, hands[id][pad].settings.beats != before.settings.beats {
      _ = setPad(.pad(.beats, pad), to: .float(before.settings.beats), by: id, at: frame)
    }
    pulse.noteFit(of: hands[id][pad])
    for setting in Setting.ofSound(pad) + [.pad(.stretch, pad), .pad(.beats, pad)] {
      tell(setting, of: id)
    }
    if !isEdit { restoreStretch(pad, before.settings.stretching, of: id, at: frame) }
  }

  /// The sound that the pad waits for cannot be had: it keeps what it plays.
  mutating func cannotHave(_ pad: Pad, of id: PlayerID, reason: Refusal) {
    guard let wanted = hands[id][pad].wish.sample else { return }
    hands[id][pad].wish.sample = nil
    let kept = PadEdit(hands[id][pad])
    desks[id].history.forget(pad) { edit in
      guard edit.sample == wanted else { return false }
      edit.sample = kept.sample
      edit.settings.stretching = kept.settings.stretching
      return true
    }
    let command = Command.set(.padSample(pad), .text("\(wanted)"))
    outbox.append(.tell(.refused(command, reason), .player(id)))
  }

  /// The value as it is told when it has been read or made; nil where it is told at once.
  /// Mutating, as `findDeadline`.
  mutating func toldLater(_ setting: Setting, _ value: SettingValue) -> SettingValue? {
    switch (setting, value) {
    case (.padSample, .text(let text)): .text((library.broughtAlong(text) ?? SampleID(text)).map { "\($0)" } ?? text)
    case (.kit, _), (.pad(.stretch, _), _), (.pad(.stretchQuality, _), _): value
    default: nil
    }
  }

  mutating func listSamples(_ category: String) throws(Refusal) {
    let items = library.samples(of: category).map { Event.sampleItem(id: $0.id, name: $0.name, category: $0.category) }
    guard !items.isEmpty else {
      if category == Library.ownCategory {
        throw .nothingBroughtAlong
      }
      let known = Set(library.samples(of: "").map(\.category)).sorted()
      throw .noSuchCategory(category, known: known)
    }
    outbox.append(.tell(.together(items), .asker))
  }
}
