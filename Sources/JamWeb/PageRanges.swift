internal import JamCore
internal import JamWire

/// Writes `ranges.js`: the lowest and the highest value of each address, the words that it takes,
/// and the limits on numbers of things. The page needs them for its faders, choices and lines.
enum PageRanges {
  static let script: String = {
    // The page knows players by their names, not by their seats.
    let entries = AddressTable.standard.entries.filter { !$0.template.hasPrefix("/seat/") }
    let ranges = entries.compactMap { entry -> String? in
      guard entry.access == .setter, let argument = entry.arguments.first else { return nil }
      let range: ClosedRange<Double>
      switch argument.kind {
      case .float(let stated?), .integer(let stated?): range = stated
      default: return nil
      }
      return "  \"\(pattern(of: entry.template))\": [\(range.lowerBound), \(range.upperBound)],\n"
    }
    let words = entries.compactMap { entry -> String? in
      guard entry.access == .setter, case .choice(let words)? = entry.arguments.first?.kind else { return nil }
      return "  \"\(pattern(of: entry.template))\": [\(words.map { "\"\($0)\"" }.joined(separator: ", "))],\n"
    }
    let limits = Limits.standard
    return """
      // Written by the server from its address table.

      /// How long names may be, and messages (in bytes); how many lanes a player \
      has, and places each of them; how many scenes a room has.
      export const limits = { name: \(limits.nameCharacters), message: \(limits.messageBytes), \
      lanes: \(limits.lanesPerPlayer), slots: \(limits.slotsPerLane), scenes: \(limits.scenesPerRoom) };

      const WORDS = {
      \(words.joined())};

      const RANGES = {
      \(ranges.joined())};

      const pattern = (address) => address.replace(/^\\/player\\/[^/]+/, "/player/*")\
      .replace(/\\/\\d+(?=\\/|$)/g, "/#");

      /// The lowest and the highest value that an address takes.
      export const range = (address) => RANGES[address] ?? RANGES[pattern(address)];

      /// The words that an address takes, in their order.
      export const words = (address) => WORDS[address] ?? WORDS[pattern(address)];

      /// The addresses that begin so and take a number or a word, without those of one of many.
      export const settable = (begin) => [...Object.keys(RANGES), ...Object.keys(WORDS)].filter((address) => \
      address.startsWith(begin) && !address.includes("#"));

      /// A number, or the nearest that the address takes.
      export const bounded = (address, number) => Math.min(range(address)[1], Math.max(range(address)[0], number));

      """
  }()

  /// The template with `#` for each number and `*` for each name.
  private static func pattern(of template: String) -> String {
    template.split(separator: "/").map { part in
      part.first != "<" ? "/\(part)" : part == "<name>" ? "/*" : "/#"
    }.joined()
  }
}
