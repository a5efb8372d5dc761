extension BenchReport {
  /// A name for each row that stays the same from run to run, in the rows' order; no two are equal.
  ///
  /// A row that is indented belongs to the last row that is less so, whose key comes first: `hits in bursts of 20 / lost`.
  /// A table's definition in `docs/bench/tables.json` names rows by these keys.
  var keys: [String] {
    var groups: [(depth: Int, key: String)] = []
    var seen: [String: Int] = [:]
    return rows.map { row in
      let depth = row.name.prefix { $0 == " " }.count
      groups.removeAll { $0.depth >= depth }
      let own = row.key ?? String(row.name.dropFirst(depth))
      let key = groups.last.map { "\($0.key) / \(own)" } ?? own
      groups.append((depth, key))
      // An hour of measuring is not thrown away for two rows of one name; a test finds them in the source.
      let count = (seen[key] ?? 0) + 1
      seen[key] = count
      return count == 1 ? key : "\(key) (\(count))"
    }
  }
}
