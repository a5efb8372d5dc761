import CCounters

/// What one operation costs, by each measure. The time is told in thousandths of an Opus frame.
typealias Costs = [Measure: Double]

enum Measure: String, CaseIterable {
  case allocations
  case retains
  case releases
  case bytesCopied = "bytes copied"
  case systemCalls = "system calls"
  case time

  static let counted = allCases.filter { $0 != .time }
}

/// What one operation of a stage costs, counted over many.
struct Counting {
  private static let runsToWarmUp = 8
  private static let runs = 8

  let costs: Costs

  init(of stage: any Stage) throws {
    for _ in 0..<Counting.runsToWarmUp {
      stage.prepare()
      stage.run()
    }
    var sums: Costs = [:]
    var operations = 0
    for _ in 0..<Counting.runs {
      stage.prepare()
      jam_counts_begin()
      stage.run()
      let counts = jam_counts_end()
      for measure in Measure.counted { sums[measure, default: 0] += Double(counts[measure]) }
      operations += stage.operations
    }
    guard operations > 0 else { throw CostsError.nothingDone("\(type(of: stage))") }
    costs = sums.mapValues { ($0 / Double(operations) * 100).rounded() / 100 }
  }
}

extension jam_counts {
  fileprivate subscript(measure: Measure) -> Int64 {
    switch measure {
    case .allocations: allocations
    case .retains: retains
    case .releases: releases
    case .bytesCopied: bytes_copied
    case .systemCalls: system_calls
    case .time: 0
    }
  }
}
