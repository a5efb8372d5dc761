internal import JamCore
internal import JamKit

/// A sound as it stands in the list of sounds.
struct ListedSound: Hashable, Sendable {
  var id: SampleID
  var name: String
  var category: String

  init(_ id: SampleID, name: String, category: String) {
    self.id = id
    self.name = name
    self.category = category
  }

  init(_ own: OwnSound) { self.init(own.id, name: own.name, category: own.category) }

  init(_ kept: KeptSound) { self.init(.own("\(kept.hash)"), name: kept.name, category: kept.category.rawValue) }
}
