internal import JamCore

/// Other sounds on single pads: any pad of any kit, one that somebody brought along, or none.
extension RoomState {
  func checkChooseSample(_ text: String, by id: PlayerID) throws(Refusal) {
    guard let sample = library.sampleID(of: text) else { throw .noSuchSound(text, isPreview: false) }
    try checkChoose(sample, by: id)
  }

  mutating func choose(_ text: String, on pad: Pad, by id: PlayerID, at moment: Moment) {
    guard let sample = library.sampleID(of: text) else { return }
    choose(sample, called: library.broughtAlong(text).map { _ in text }, on: pad, by: id, at: moment)
  }

  func checkBrowse(_ pad: Pad, by step: Int, for id: PlayerID) throws(Refusal) {
    guard category(on: pad, of: id) != nil else { throw .nothingToBrowse(pad) }
    if let sample = sample(step, behind: pad, of: id) { try checkChoose(sample, by: id) }
  }

  /// The next or previous sound of the pad's category: through all kits, then those brought along.
  mutating func browse(_ pad: Pad, by step: Int, for id: PlayerID, at moment: Moment) {
    if let sample = sample(step, behind: pad, of: id) { choose(sample, on: pad, by: id, at: moment) }
  }

  private func category(on pad: Pad, of id: PlayerID) -> String? {
    library.category(of: PadEdit(hands[id][pad]).sample) ?? hands[id][pad].description?.category
  }

  /// The sound so many steps behind the pad's own.
  private func sample(_ step: Int, behind pad: Pad, of id: PlayerID) -> SampleID? {
    guard let category = category(on: pad, of: id) else { return nil }
    let current = PadEdit(hands[id][pad]).sample
    // A sound of several names is one stop on the way.
    var known: Set<SampleID> = []
    let all = library.samples(of: category).map(\.id).filter { known.insert($0).inserted }
    guard !all.isEmpty else { return nil }
    let place = all.firstIndex(of: current) ?? (step > 0 ? -1 : 0)
    return all[(place + step + all.count) % all.count]
  }

  private func checkChoose(_ sample: SampleID, by id: PlayerID) throws(Refusal) {
    try roster.requireUnlocked(.kits, id)
    switch sample {
    case .pad(let source, let kitID): try library.requireSound(source, of: kitID)
    case .own, .nothing: break
    case .patch: throw .noSuchSound("\(sample)", isPreview: false)
    }
  }

  mutating func choose(
    _ sample: SampleID, called name: String? = nil, on pad: Pad, by id: PlayerID, at moment: Moment,
    isEdit: Bool = true
  ) {
    switch sample {
    case .pad(let source, let kitID):
      _ = library.kitToRestore(kitID)
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
    case .nothing:
      ask(sample, on: pad, by: id, at: effectFrame(moment), isEdit: isEdit)
      give(.nothing, on: pad, to: id, at: effectFrame(moment))
    case .patch: break
    }
  }

  /// A player's wish is an edit, whenever it arrives.
  private mutating func ask(
    _ sample: SampleID, on pad: Pad, by id: PlayerID, at frame: Frames, isEdit: Bool
  ) {
    if isEdit, sample != .nothing { use(.sound, "\(sample)", by: id) }
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

  /// The pad's awaited sound cannot be had: the pad keeps its old one.
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
    case (.padSample, .text(let text)): .text(library.sampleID(of: text).map { "\($0)" } ?? text)
    case (.kit, _), (.pad(.stretch, _), _), (.pad(.stretchQuality, _), _): value
    default: nil
    }
  }

  func checkListSamples(_ category: String) throws(Refusal) {
    guard library.samples(of: category).isEmpty else { return }
    if category == Library.ownCategory { throw .nothingBroughtAlong }
    throw .noSuchCategory(category, known: Set(library.samples(of: "").map(\.category)).sorted())
  }
}
