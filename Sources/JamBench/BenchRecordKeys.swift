extension BenchReport {
  /// A name for each row, in the order of the rows. It stays the same from run to run, and no two
  /// names are equal.
  ///
  /// An indented row belongs to the last row with less indentation. The key of that row comes
  /// first: `hits in bursts of 20 / lost`. A table's definition in `docs/bench/tables.json` names
  /// rows by these keys.
  var keys: [String] {
    var groups: [(depth: Int, key: String)] = []
    var seen: [String: Int] = [:]
    return rows.map { row in
      let depth = row.name.prefix { $0 == " " }.count
      groups.removeAll { $0.depth >= depth }
      let own = row.key ?? String(row.name.dropFirst(depth))
      let key = groups.last.map { "\($0.key) / \(own)" } ?? own
      groups.append((depth, key))
      // Two rows of one name get different keys, because an hour of measuring must not be lost for
      // that. A test finds such rows in the source.
      let count = (seen[key] ?? 0) + 1
      seen[key] = count
      return count == 1 ? key : "\(key) (\(count))"
    }
  }
}
