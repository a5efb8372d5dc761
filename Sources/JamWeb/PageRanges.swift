internal import JamWire

/// `ranges.js`: the lowest and the highest value of each address, for the page's faders.
enum PageRanges {
  static let script: String = {
    let ranges = AddressTable.standard.entries.compactMap { entry -> String? in
      guard entry.access == .setter, let argument = entry.arguments.first else { return nil }
      let range: ClosedRange<Double>
      switch argument.kind {
      case .float(let stated?), .integer(let stated?): range = stated
      default: return nil
      }
      return "  \"\(pattern(of: entry.template))\": [\(range.lowerBound), \(range.upperBound)],\n"
    }
    return """
      // Written by the server from its address table.

      const RANGES = {
      \(ranges.joined())};

      /// The lowest and the highest value that an address takes.
      export const range = (address) =>
        RANGES[address.replace(/^\\/player\\/[^/]+/, "/player/*").replace(/\\/\\d+(?=\\/|$)/g, "/#")];

      /// A number, or the nearest that the address takes.
      export const bounded = (address, number) => Math.min(range(address)[1], Math.max(range(address)[0], number));

      """
  }()

  /// `#` for a number, `*` for a name.
  private static func pattern(of template: String) -> String {
    template.split(separator: "/").map { part in
      part.first != "<" ? "/\(part)" : part == "<name>" ? "/*" : "/#"
    }.joined()
  }
}
