import Foundation

/// Tests/Budgets/costs.json: what each operation may cost, by the measures' names.
struct Budgets {
  private let costs: [String: [String: Double]]

  /// - Throws: `CostsError.file`.
  init(file: String) throws(CostsError) {
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: file))
      costs = try JSONDecoder().decode([String: [String: Double]].self, from: data)
    } catch {
      throw .file(file, cause: "\(error)")
    }
  }

  subscript(name: String, measure: Measure) -> Double? { costs[name]?[measure.rawValue] }

  /// Writes what was measured as the budgets from now on: sorted, one value a line, so that a change reads well.
  /// - Parameter old: what stays of a measure that cannot be taken here.
  static func write(_ costs: [String: Costs], keeping old: Budgets?, to file: String) throws(CostsError) {
    let operations = costs.sorted { $0.key < $1.key }.map { name, costs in
      let lines = Measure.allCases.sorted { $0.rawValue < $1.rawValue }.compactMap { measure -> String? in
        guard let value = costs[measure] ?? old?[name, measure] else { return nil }
        return "    \"\(measure.rawValue)\": \(Report.text(value))"
      }
      return "  \"\(name)\": {\n\(lines.joined(separator: ",\n"))\n  }"
    }
    do {
      let text = "{\n\(operations.joined(separator: ",\n"))\n}\n"
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    } catch {
      throw .file(file, cause: "\(error)")
    }
  }
}
