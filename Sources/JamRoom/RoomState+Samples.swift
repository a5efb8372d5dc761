internal import JamCore

/// Other sounds on single pads: any pad of any kit, or one that somebody brought along.
extension RoomState {
  mutating func choose(
    _ text: String, on pad: Pad, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) throws(Refusal) {
    if let own = ownSounds.last(where: { $0.name == text }) {
      try choose(own.id, on: pad, by: id, at: moment, &effects)
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
    guard let category = description(of: current)?.category ?? state.description?.category else {
      throw Refusal("the pad is empty: name a sound by /pad/\(pad.number)/sample")
    }
    let all = samples(of: category)
    guard !all.isEmpty else { return }
    let place = all.firstIndex(of: current) ?? (step > 0 ? -1 : 0)
    try choose(all[(place + step + all.count) % all.count], on: pad, by: id, at: moment, &effects)
  }

  mutating func choose(
    _ sample: SampleID, on pad: Pad, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) throws(Refusal) {
    try requireUnlocked(.kits, id)
    switch sample {
    case .pad(let source, let kitID):
      guard let kit = kits.first(where: { $0.id == kitID }) else {
        throw Refusal("there is no kit “\(kitID.prefix(64))”: see /kits")
      }
      guard kit[source] != nil else { throw Refusal("pad \(source.number) of kit \(kit.id) is empty") }
      self[known: id].pads[pad.index].wantedSample = sample
      if let playable = loaded[kit.id] {
        give(PadSound(source, of: playable), on: pad, to: id, at: effectFrame(moment), &effects)
      } else {
        effects.append(.loadKit(id: kit.id))
      }
    case .own(let hash):
      self[known: id].pads[pad.index].wantedSample = sample
      if let own = ownSounds.first(where: { $0.id == sample }) {
        give(PadSound(own), on: pad, to: id, at: effectFrame(moment), &effects)
      } else {
        effects.append(.loadOwnSound(hash: hash))
      }
    }
  }

  mutating func give(
    _ sound: PadSound, on pad: Pad, to id: PlayerID, at frame: Frames, _ effects: inout [Effect]
  ) {
    fixWaiting(on: pad, of: id, at: frame, &effects)
    let before = PadEdit(self[known: id].pads[pad.index])
    let restoring = self[known: id].pads[pad.index].restoring
    self[known: id].pads[pad.index].wantedSample = nil
    self[known: id].pads[pad.index].restoring = nil
    self[known: id].pads[pad.index].play(sound)
    if restoring == nil {
      remember(.pad(pad, before, PadEdit(self[known: id].pads[pad.index]), moved: nil), of: id, at: frame)
    }
    commit(
      .command(.set(.padSample(pad), .text("\(sound.id)"))), by: self[known: id].name, at: frame, &effects)
    for setting in RoomState.soundSettings(pad) + [.padStretch(pad)] {
      tell(setting, of: id, &effects)
    }
    if let restoring { restoreStretch(pad, restoring, of: id, at: frame, &effects) }
  }

  /// The sound that the pad waits for cannot be had: it keeps what it plays.
  mutating func cannotHave(_ pad: Pad, of id: PlayerID, reason: String, _ effects: inout [Effect]) {
    guard let wanted = self[known: id].pads[pad.index].wantedSample else { return }
    self[known: id].pads[pad.index].wantedSample = nil
    self[known: id].pads[pad.index].restoring = nil
    let command = Command.set(.padSample(pad), .text("\(wanted)"))
    effects.append(.tell(.refused(command, reason: reason), .player(id)))
  }

  private func description(of sample: SampleID) -> KitPad? {
    switch sample {
    case .pad(let pad, let kit): kits.first { $0.id == kit }?[pad]
    case .own: ownSounds.first { $0.id == sample }?.description
    }
  }

  /// Every sound of `category`, or every sound where that is empty.
  func samples(of category: String) -> [SampleID] {
    let ofKits = kits.flatMap { kit in
      Pad.all.compactMap { pad -> SampleID? in
        guard let sound = kit[pad], category.isEmpty || sound.category == category else { return nil }
        return .pad(pad, of: kit.id)
      }
    }
    return ofKits + ownSounds.lazy.filter { category.isEmpty || $0.category == category }.map(\.id)
  }

  func listSamples(_ category: String, _ effects: inout [Effect]) throws(Refusal) {
    let items = samples(of: category).compactMap { sample in
      description(of: sample).map { Event.sampleItem(id: sample, name: $0.name, category: $0.category) }
    }
    guard !items.isEmpty else {
      let ofKits = kits.flatMap { $0.pads.compactMap { $0?.category } }
      let known = Set(ofKits + ownSounds.map(\.category)).sorted().joined(separator: ", ")
      throw Refusal("there is no sound of category “\(category.prefix(32))”: there are \(known)")
    }
    effects.append(.tell(.together(items), .asker))
  }
}
