internal import JamCore

/// Other sounds on single pads: any pad of any kit.
extension RoomState {
  mutating func choose(
    _ text: String, on pad: Pad, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) throws(Refusal) {
    guard let sample = SampleID(text) else {
      throw Refusal(
        "“\(text.prefix(64))” is no sound: name a kit and one of its pads, as starter/3; /samples lists them")
    }
    try choose(sample, on: pad, by: id, at: moment, &effects)
  }

  /// The next or previous sound of the pad's own category, through all kits in their order.
  mutating func browse(
    _ pad: Pad, by step: Int, for id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) throws(Refusal) {
    let current = self[known: id].pads[pad.index].wantedSample ?? self[known: id].pads[pad.index].sample
    guard let category = kits.first(where: { $0.id == current.kit })?[current.pad]?.category else {
      throw Refusal("the pad is empty: name a sound by /pad/\(pad.number)/sample")
    }
    let all = samples(of: category)
    guard let place = all.firstIndex(of: current) else { return }
    try choose(all[(place + step + all.count) % all.count], on: pad, by: id, at: moment, &effects)
  }

  private mutating func choose(
    _ sample: SampleID, on pad: Pad, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) throws(Refusal) {
    try requireUnlocked(.kits, id)
    guard let kit = kits.first(where: { $0.id == sample.kit }) else {
      throw Refusal("there is no kit “\(sample.kit.prefix(64))”: see /kits")
    }
    guard kit[sample.pad] != nil else { throw Refusal("pad \(sample.pad.number) of kit \(kit.id) is empty") }
    self[known: id].pads[pad.index].wantedSample = sample
    if let playable = loaded[kit.id] {
      give(playable, sample, on: pad, to: id, at: effectFrame(moment), &effects)
    } else {
      effects.append(.loadKit(id: kit.id))
    }
  }

  mutating func give(
    _ kit: PlayableKit, _ sample: SampleID, on pad: Pad, to id: PlayerID, at frame: Frames, _ effects: inout [Effect]
  ) {
    self[known: id].pads[pad.index].wantedSample = nil
    self[known: id].pads[pad.index].play(kit, sample.pad)
    commit(
      .command(.set(.padSample(pad), .text("\(sample)"))), by: self[known: id].name, at: frame, &effects)
    for setting in RoomState.soundSettings(pad) + [.padStretch(pad)] {
      tell(setting, of: id, &effects)
    }
  }

  /// Every sound of `category`, or every sound where that is empty.
  func samples(of category: String) -> [SampleID] {
    kits.flatMap { kit in
      Pad.all.compactMap { pad in
        guard let sound = kit[pad], category.isEmpty || sound.category == category else { return nil }
        return SampleID(kit: kit.id, pad: pad)
      }
    }
  }

  func listSamples(_ category: String, _ effects: inout [Effect]) throws(Refusal) {
    let found = samples(of: category)
    guard !found.isEmpty else {
      let known = Set(kits.flatMap { $0.pads.compactMap { $0?.category } }).sorted().joined(separator: ", ")
      throw Refusal("there is no sound of category “\(category.prefix(32))”: there are \(known)")
    }
    let items = found.compactMap { sample in
      kits.first { $0.id == sample.kit }?[sample.pad].map { sound in
        Event.sampleItem(id: sample, name: sound.name, category: sound.category)
      }
    }
    effects.append(.tell(.together(items), .asker))
  }
}
