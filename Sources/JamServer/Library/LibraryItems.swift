import JamCore
import JamKit
import JamRoom
import JamStore

/// Makes the rows of the library's list: kits, blocks and sounds.
enum LibraryItems {
  static func kit(_ kit: Kit) -> Catalogue.LibraryItem {
    var item = Catalogue.LibraryItem(.kit, id: kit.id, name: kit.name)
    item.theme = kit.category
    item.category = kit.category
    item.author = kit.author
    item.bpm = Double(kit.bpm ?? 0)
    item.more = "\(kit.id) \(kit.description)"
    return item
  }

  static func sounds(of kit: Kit) -> [Catalogue.LibraryItem] {
    Pad.all.compactMap { pad in
      kit[pad].map { sound in
        var item = Catalogue.LibraryItem(.sound, id: "\(SampleID.pad(pad, of: kit.id))", name: sound.name)
        item.theme = kit.category
        item.category = sound.category
        item.author = kit.author
        item.bpm = sound.category == PadCategory.loop.rawValue ? Double(kit.bpm ?? 0) : 0
        item.more = "\(kit.id) \(kit.name) \(sound.key ?? "")"
        return item
      }
    }
  }

  static func sound(_ sound: BroughtSound, in room: String) -> Catalogue.LibraryItem {
    var item = Catalogue.LibraryItem(.sound, id: "\(sound.id)", name: sound.name)
    item.category = sound.category
    item.author = sound.author
    item.room = room
    return item
  }

  /// - Parameters:
  ///   - room: the block's room; nil for a ready-made block.
  ///   - kits: used to find the categories of the block's sounds.
  static func block(_ block: Block, in room: PlayerName?, kits: [Kit]) -> Catalogue.LibraryItem {
    let id =
      if let room, let owner = block.owner { "\(BlockID(room: room, owner: owner, name: block.name))" } else {
        block.name
      }
    var item = Catalogue.LibraryItem(.block, id: id, name: block.name)
    let known = Dictionary(kits.map { ($0.id, $0) }) { first, _ in first }
    var categories: [String: Int] = [:]
    var themes: [String: Int] = [:]
    for hit in block.hits {
      switch hit.sound {
      case .category(let category, _): categories[category, default: 0] += 1
      case .voicing(let voicing):
        guard case .pad(let pad, let kit) = voicing.sample, let kit = known[kit] else { continue }
        if let sound = kit[pad] { categories[sound.category, default: 0] += 1 }
        themes[kit.category, default: 0] += 1
      }
    }
    item.theme = block.theme.isEmpty ? mostFrequent(themes).first ?? "" : block.theme
    item.category = mostFrequent(categories).joined(separator: " ")
    item.bpm = Double(block.bpm ?? 0)
    item.author = block.owner?.text ?? ""
    item.beats = block.length.value
    item.room = room?.text ?? ""
    item.owner = block.isShared ? "" : block.owner?.text ?? ""
    return item
  }

  private static func mostFrequent(_ counts: [String: Int]) -> [String] {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key).filter { !$0.isEmpty }
  }
}
