internal import JamCore

/// Other sounds on single pads: any pad of any kit, or one that somebody brought along.
extension RoomState {
  mutating func choose(
    _ text: String, on pad: Pad, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) throws(Refusal) {
    if let own = broughtAlong(text) {
      try choose(own, called: text, on: pad, by: id, at: moment, &effects)
    } else if let sample = SampleID(text) {
      try choose(sample, on: pad, by: id, at: moment, &effects)
    } else {
      throw Refusal(
        "“\(text.prefix(64))” is no sound: name a kit and one of its pads, as starter/3, or a sound that was brought along; "
          + "/samples lists them all")
    }
  }

  /// The next or previous sound of the pad's own category, through all kits in their order, then through what was brought along.
  mutating func browse(
    _ pad: Pad, by step: Int, for id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) throws(Refusal) {
    let state = self[known: id].pads[pad.index]
    let current = state.wantedSample ?? state.sample
    guard let category = category(of: current) ?? state.description?.category else {
      throw Refusal("the pad is empty: name a sound by /pad/\(pad.number)/sample")
    }
    // A sound of several names is one stop on the way.
    var known: Set<SampleID> = []
    let all = samples(of: category).map(\.id).filter { known.insert($0).inserted }
    guard !all.isEmpty else { return }
    let place = all.firstIndex(of: current) ?? (step > 0 ? -1 : 0)
    try choose(all[(place + step + all.count) % all.count], on: pad, by: id, at: moment, &effects)
  }

  mutating func choose(
    _ sample: SampleID, called name: String? = nil, on pad: Pad, by id: PlayerID, at moment: Moment,
    isEdit: Bool = true, _ effects: inout [Effect]
  ) throws(Refusal) {
    try requireUnlocked(.kits, id)
    switch sample {
    case .pad(let source, let kitID):
      guard let kit = kits.first(where: { $0.id == kitID && !goneKits.contains(kitID) }) else {
        throw Refusal("there is no kit “\(kitID.prefix(64))”: see /kits")
      }
      guard kit[source] != nil else { throw Refusal("pad \(source.number) of kit \(kit.id) is empty") }
      ask(sample, on: pad, by: id, at: effectFrame(moment), isEdit: isEdit)
      if let playable = loaded[kit.id] {
        give(PadSound(source, of: playable), on: pad, to: id, at: effectFrame(moment), &effects)
      } else {
        effects.append(.loadKit(id: kit.id))
      }
    case .own(let hash):
      ask(sample, on: pad, by: id, at: effectFrame(moment), isEdit: isEdit)
      self[known: id].pads[pad.index].wantedName = name
      if let own = ownSounds.last(where: { $0.id == sample }) {
        give(PadSound(listed(own, as: name)), on: pad, to: id, at: effectFrame(moment), &effects)
      } else {
        effects.append(.loadOwnSound(hash: hash))
      }
    }
  }

  /// What was asked for is an edit, whenever it arrives.
  private mutating func ask(_ sample: SampleID, on pad: Pad, by id: PlayerID, at frame: Frames, isEdit: Bool) {
    let before = PadEdit(self[known: id].pads[pad.index])
    self[known: id].pads[pad.index].wantedSample = sample
    self[known: id].pads[pad.index].wantedStretch = PadStretch(quality: before.settings.stretchQuality)
    let after = PadEdit(self[known: id].pads[pad.index])
    if isEdit { remember(.pad(pad, before, after, moved: nil), of: id, at: frame) }
  }

  /// - Parameter isEdit: nobody has asked for it before.
  mutating func give(
    _ sound: PadSound, on pad: Pad, to id: PlayerID, at frame: Frames, isEdit: Bool = false, _ effects: inout [Effect]
  ) {
    fixWaiting(on: pad, of: id)
    let before = PadEdit(self[known: id].pads[pad.index])
    self[known: id].pads[pad.index].wantedSample = nil
    self[known: id].pads[pad.index].play(sound)
    if isEdit {
      remember(.pad(pad, before, PadEdit(self[known: id].pads[pad.index]), moved: nil), of: id, at: frame)
    }
    commit(
      .command(.set(.padSample(pad), .text("\(sound.id)"))), by: self[known: id].name, at: frame, &effects)
    // Nothing of it is left to be stretched, but how carefully counts for the next.
    if let quality = self[known: id].pads[pad.index].unheardQuality {
      self[known: id].pads[pad.index].heardStretch.quality = quality
      commit(
        .command(.set(.pad(.stretchQuality, pad), .text(quality.rawValue))), by: self[known: id].name, at: frame,
        &effects)
    }
    for setting in RoomState.soundSettings(pad) + [.pad(.stretch, pad)] {
      tell(setting, of: id, &effects)
    }
    if !isEdit { restoreStretch(pad, before.settings.stretching, of: id, at: frame, &effects) }
  }

  /// The sound that the pad waits for cannot be had: it keeps what it plays.
  mutating func cannotHave(_ pad: Pad, of id: PlayerID, reason: String, _ effects: inout [Effect]) {
    guard let wanted = self[known: id].pads[pad.index].wantedSample else { return }
    self[known: id].pads[pad.index].wantedSample = nil
    let kept = PadEdit(self[known: id].pads[pad.index])
    self[known: id].history.forget(pad) { edit in
      guard edit.sample == wanted else { return false }
      edit.sample = kept.sample
      edit.settings.stretching = kept.settings.stretching
      return true
    }
    let command = Command.set(.padSample(pad), .text("\(wanted)"))
    effects.append(.tell(.refused(command, reason: reason), .player(id)))
  }

  private func category(of sample: SampleID) -> String? {
    switch sample {
    case .pad(let pad, let kit): kits.first { $0.id == kit }?[pad]?.category
    case .own: broughtAlong.last { $0.id == sample }?.category
    }
  }

  /// What people brought along, the latest last; a sound of several names is there with each.
  private var broughtAlong: [ListedSound] { keptSounds ?? ownSounds.map { ListedSound($0) } }

  /// The sound by that one of its names, or by its latest.
  func listed(_ sound: OwnSound, as name: String?) -> OwnSound {
    let names = broughtAlong.filter { $0.id == sound.id }
    return (names.last { $0.name == name } ?? names.last).map { OwnSound(sound, called: $0) } ?? sound
  }

  /// The latest of that name.
  func broughtAlong(_ name: String) -> SampleID? {
    if let keptSounds { return keptSounds.last { $0.name == name }?.id }
    return ownSounds.last { $0.name == name }?.id
  }

  /// The value as it is told when it has been read or made; nil where it is told at once.
  func toldLater(_ setting: Setting, _ value: SettingValue) -> SettingValue? {
    switch (setting, value) {
    case (.padSample, .text(let text)): .text((broughtAlong(text) ?? SampleID(text)).map { "\($0)" } ?? text)
    case (.kit, _), (.pad(.stretch, _), _), (.pad(.stretchQuality, _), _): value
    default: nil
    }
  }

  /// Lists everything that was brought along, whatever it is.
  private static let ownCategory = "own"

  /// Every sound of `category`, every sound where that is empty, or what was brought along where it is `own`.
  func samples(of category: String) -> [ListedSound] {
    if category == RoomState.ownCategory { return broughtAlong }
    let ofKits = kits.filter { !goneKits.contains($0.id) }.flatMap { kit in
      Pad.all.compactMap { pad in
        kit[pad].map { ListedSound(.pad(pad, of: kit.id), name: $0.name, category: $0.category) }
      }
    }
    return (ofKits + broughtAlong).filter { category.isEmpty || $0.category == category }
  }

  func listSamples(_ category: String, _ effects: inout [Effect]) throws(Refusal) {
    let items = samples(of: category).map { Event.sampleItem(id: $0.id, name: $0.name, category: $0.category) }
    guard !items.isEmpty else {
      if category == RoomState.ownCategory {
        throw Refusal("nobody has brought a sound along yet: PUT /samples/NAME, /sample/record or /sample/grab does")
      }
      let known = Set(samples(of: "").map(\.category)).sorted().joined(separator: ", ")
      throw Refusal(
        "there is no sound of category “\(category.prefix(32))”: there are \(known), and own is what was brought along")
    }
    effects.append(.tell(.together(items), .asker))
  }
}
