internal import JamCore
internal import JamKit

/// Kits, and sounds by their names and categories.
extension Library {
  func category(of sample: SampleID) -> String? {
    switch sample {
    case .pad(let pad, let kit): kits.first { $0.id == kit }?[pad]?.category
    case .own: broughtAlong.last { $0.id == sample }?.category
    case .patch, .nothing: nil
    }
  }

  /// The sound's length in beats, as its kit says; 0 where nothing does.
  func beats(of sample: SampleID) -> Float {
    guard case .pad(let pad, let kit) = sample else { return 0 }
    return kits.first { $0.id == kit }?[pad]?.settings.beats ?? 0
  }

  /// Sounds brought along, the latest last; a sound of several names is there with each.
  var broughtAlong: [ListedSound] { keptSounds ?? ownSounds.map { ListedSound($0) } }

  /// The sound by that one of its names, or by its latest.
  func listed(_ sound: OwnSound, as name: String?) -> OwnSound {
    let names = broughtAlong.filter { $0.id == sound.id }
    return (names.last { $0.name == name } ?? names.last).map { OwnSound(sound, called: $0) } ?? sound
  }

  /// The sound of a name that people gave, or of a sound's id.
  func sampleID(of text: String) -> SampleID? { broughtAlong(text) ?? SampleID(text) }

  /// The latest of that name.
  func broughtAlong(_ name: String) -> SampleID? {
    if let keptSounds { return keptSounds.last { $0.name == name }?.id }
    return ownSounds.last { $0.name == name }?.id
  }

  /// Lists everything that was brought along, whatever it is.
  static let ownCategory = "own"

  /// Sounds of `category`: all where it is empty, those brought along where it is `own`.
  func samples(of category: String) -> [ListedSound] {
    if category == Library.ownCategory { return broughtAlong }
    let ofKits = kits.filter { !kitMarks.isUnlisted($0.id) }.flatMap { kit in
      Pad.all.compactMap { pad in
        kit[pad].map { ListedSound(.pad(pad, of: kit.id), name: $0.name, category: $0.category) }
      }
    }
    return (ofKits + broughtAlong).filter { category.isEmpty || $0.category == category }
  }

  /// The same, as they are told.
  func sampleItems(of category: String) -> Event {
    .together(samples(of: category).map { .sampleItem(id: $0.id, name: $0.name, category: $0.category) })
  }

  /// The kits that are listed, as they are told: each by its place among all kits.
  var kitItems: Event {
    let listed = kits.enumerated().filter { !kitMarks.isUnlisted($1.id) }
    return .together(listed.map { index, kit in kit.item(at: index) })
  }

  /// The kits that `/kits` lists, by their ids.
  var listedKits: [String] { kits.map(\.id).filter { !kitMarks.isUnlisted($0) } }

  /// There is no kit of that id, or a host has deleted it.
  func isUnknown(_ kitID: String) -> Bool {
    kitMarks.isDeleted(kitID) || !kits.contains { $0.id == kitID }
  }

  /// A kit as an edit, a room or a project names it. One that is not here is taken all the same.
  mutating func kitToRestore(_ id: String) -> Kit {
    if !isUnknown(id), let kit = kits.first(where: { $0.id == id }) { return kit }
    if loaded[id] == nil { loaded[id] = .away(id) }
    return Kit(id: id, name: id)
  }

  /// - Throws: a refusal where a pad cannot be given that sound.
  func requireSound(_ pad: Pad, of kitID: String) throws(Refusal) {
    guard let kit = kits.first(where: { $0.id == kitID && !kitMarks.isUnlisted(kitID) }) else {
      throw .noSuchKit(kitID)
    }
    guard kit[pad] != nil else { throw .kitPadEmpty(pad, kit: kit.id) }
  }

  /// - Parameter current: the kit that `next` and `previous` go on from.
  func kit(_ choice: KitChoice, from current: String) -> Kit? {
    let index = kits.firstIndex { $0.id == current } ?? 0
    func next(_ step: Int) -> Kit {
      var place = index
      repeat {
        place = (place + step + kits.count) % kits.count
      } while place != index && kitMarks.isUnlisted(kits[place].id)
      return kits[place]
    }
    switch choice {
    case .next: return next(1)
    case .previous: return next(-1)
    case .index(let wanted):
      guard kits.indices.contains(wanted), !kitMarks.isUnlisted(kits[wanted].id) else { return nil }
      return kits[wanted]
    case .id(let wanted): return kits.first { $0.id == wanted && !kitMarks.isUnlisted(wanted) }
    }
  }

  func requireKit(_ choice: KitChoice, from current: String) throws(Refusal) {
    guard kit(choice, from: current) == nil else { return }
    switch choice {
    case .next, .previous: break
    case .index(let wanted):
      throw kits.indices.contains(wanted) ? .kitWasDeleted(wanted) : .noKitAtIndex(wanted, count: kits.count)
    case .id(let wanted):
      let known = kits.prefix(8).map(\.id)
      let near = nearest(to: wanted, among: kits.lazy.map(\.id))
      throw .noSuchKit(wanted, near: near, known: known, hasMore: kits.count > known.count)
    }
  }
}
