/// A table of text for people. Each column is as wide as its widest cell.
package struct TextTable {
  private var rows: [[String]]
  private let rightAligned: Set<Int>

  /// - Parameter rightAligned: the indices of the columns with numbers, counted from 0.
  package init(_ header: [String], rightAligned: Set<Int> = []) {
    rows = [header]
    self.rightAligned = rightAligned
  }

  /// - Precondition: the row has as many cells as the header.
  package mutating func add(_ cells: [String]) {
    precondition(cells.count == rows[0].count)
    rows.append(cells)
  }

  package var text: String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { cells in
      let line = cells.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - cells[column].count)
        return rightAligned.contains(column) ? padding + cells[column] : cells[column] + padding
      }.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}
