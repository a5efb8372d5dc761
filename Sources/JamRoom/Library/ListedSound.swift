internal import JamCore
internal import JamKit

/// A sound as it stands in the list of sounds.
struct ListedSound: Hashable, Sendable {
  var id: SampleID
  var name: String
  var category: String
  /// The player who brought it along; empty where nobody is known.
  var author = ""

  init(_ id: SampleID, name: String, category: String, author: String = "") {
    self.id = id
    self.name = name
    self.category = category
    self.author = author
  }

  init(_ own: OwnSound) {
    self.init(own.id, name: own.name, category: own.category, author: own.author)
  }

  init(_ kept: KeptSound) {
    self.init(
      .own("\(kept.hash)"), name: kept.name, category: kept.category.rawValue, author: kept.author)
  }
}
