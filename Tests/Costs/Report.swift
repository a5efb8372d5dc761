import Glibc

/// What was counted and timed, and how it stands to the budgets.
struct Report {
  /// A time may be half as much again as its budget: machines differ, and so does one with neighbours.
  private static let mostOfTime = 1.5
  /// What is below its budget by more than a tenth could have a lower one.
  private static let leastOfBudget = 0.9
  /// Half of the last digit that is kept.
  private static let tolerance = 0.005

  /// Whether the kernel tells of system calls.
  let countsCalls: Bool
  private var names: [String] = []
  private(set) var costs: [String: Costs] = [:]
  /// What was not the same when it was counted twice, a line each.
  private(set) var unsteady: [String] = []

  init(countsCalls: Bool) { self.countsCalls = countsCalls }

  /// - Parameter again: the same, counted a second time on a stage of its own.
  mutating func add(_ name: String, counted: Costs, again: Costs) {
    names.append(name)
    costs[name] = counted
    if !countsCalls { costs[name]?[.systemCalls] = nil }
    for measure in Measure.counted where counted[measure] != again[measure] {
      let values = [counted, again].map { Report.text($0[measure] ?? 0) }
      unsteady.append("\(name): counted twice, \(measure.rawValue) are \(values[0]) and \(values[1])")
    }
  }

  /// - Parameter time: in thousandths of an Opus frame.
  mutating func add(_ name: String, time: Double) { costs[name]?[.time] = time }

  /// Whether all times are within their budgets.
  func isInTime(_ budgets: Budgets) -> Bool {
    names.allSatisfy { name in
      guard let time = costs[name]?[.time], let budget = budgets[name, .time] else { return true }
      return time <= Report.most(budget, .time)
    }
  }

  /// What is above its budget, a line each.
  func failures(_ budgets: Budgets) -> [String] {
    unsteady
      + each { name, measure, cost in
        guard let budget = budgets[name, measure] else { return "\(name): \(measure.rawValue) has no budget" }
        guard cost > Report.most(budget, measure) else { return nil }
        let (now, before) = (Report.text(cost), Report.text(budget))
        guard measure != .time else {
          return
            "\(name): time \(now), \(Report.text(cost / budget)) times its budget of \(before); 1.5 times is allowed"
        }
        return "\(name): \(measure.rawValue) \(now), \(Report.text(cost - budget)) above its budget of \(before)"
      }
  }

  /// Budgets that could be lowered, a line each.
  func savings(_ budgets: Budgets) -> [String] {
    each { name, measure, cost in
      guard measure != .time, let budget = budgets[name, measure],
        cost < budget * Report.leastOfBudget - Report.tolerance
      else { return nil }
      return "\(name): \(measure.rawValue) \(Report.text(cost)); the budget of \(Report.text(budget)) can be lowered"
    }
  }

  /// A row for each operation.
  var table: String {
    let heads = [""] + Measure.allCases.map(\.rawValue)
    let rows = names.map { name in
      [name]
        + Measure.allCases.map { measure in costs[name]?[measure].map { Report.text($0) } ?? "not counted" }
    }
    return ([heads] + rows).map { row in
      row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: max(0, (column == 0 ? 20 : 13) - cell.count))
        return column == 0 ? cell + space : space + cell
      }.joined()
    }.joined(separator: "\n")
  }

  private static func most(_ budget: Double, _ measure: Measure) -> Double {
    (measure == .time ? budget * mostOfTime : budget) + tolerance
  }

  private func each(_ line: (String, Measure, Double) -> String?) -> [String] {
    names.flatMap { name in
      Measure.allCases.compactMap { measure in costs[name]?[measure].flatMap { line(name, measure, $0) } }
    }
  }

  /// With two decimals, or with fewer where these are zeros.
  static func text(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let (whole, part) = (hundredths / 100, abs(hundredths % 100))
    if part == 0 { return "\(whole)" }
    return part % 10 == 0 ? "\(whole).\(part / 10)" : "\(whole).\(part < 10 ? "0" : "")\(part)"
  }
}
