/// The choke groups of regions. SFZ states for each region which group cuts it off; a kit has
/// groups whose pads cut each other off.
struct SFZChokeGroups {
  enum Choke {
    case none, tooMany
    case number(UInt8)
  }

  /// A forest of groups that belong together: each group points to its parent.
  private var parents: [Int: Int] = [:]
  private var numbers = ChokeGroups()

  init(_ regions: some Sequence<SFZRegion>) {
    for region in regions {
      guard let cutBy = Self.group(region, "off_by") else { continue }
      let own = Self.group(region, "group") ?? cutBy
      let (a, b) = (root(own), root(cutBy))
      parents[a] = b
      if parents[b] == nil { parents[b] = b }
    }
  }

  mutating func choke(of regions: [SFZRegion]) -> Choke {
    for region in regions {
      for opcode in ["off_by", "group"] {
        guard let group = Self.group(region, opcode), parents[group] != nil else { continue }
        return numbers.number(root(group)).map { .number($0) } ?? .tooMany
      }
    }
    return .none
  }

  private func root(_ group: Int) -> Int {
    var group = group
    while let parent = parents[group], parent != group { group = parent }
    return group
  }

  /// 0 is no group.
  private static func group(_ region: SFZRegion, _ opcode: String) -> Int? {
    region.number(opcode).flatMap { abs($0) < 1e9 && $0 != 0 ? Int($0) : nil }
  }
}
