import Glibc

/// How long one operation of each stage takes, as a multiple of one round of a reference loop: a machine
/// that is slower, or busy, is so for both.
struct Timing {
  private static let runs = 20

  private let stages: [any Stage]
  private var reference = ReferenceLoop()
  /// The least nanoseconds of CPU time so far.
  private var leastOfRound = Double.infinity
  private var least: [Double]

  init(of stages: [any Stage]) {
    self.stages = stages
    least = stages.map { _ in .infinity }
  }

  /// Twenty runs of each stage and of the reference loop, in turns.
  /// - Returns: for each stage the least time of all runs so far, in rounds of the reference loop.
  mutating func run() -> [Double] {
    for _ in 0..<Timing.runs {
      for (index, stage) in stages.enumerated() {
        let begin = Timing.threadNanoseconds
        reference.run()
        let end = Timing.threadNanoseconds
        leastOfRound = min(leastOfRound, Double(end - begin) / Double(ReferenceLoop.rounds))
        stage.prepare()
        let stageBegin = Timing.threadNanoseconds
        stage.run()
        let stageEnd = Timing.threadNanoseconds
        let operations = max(1, stage.operations)
        least[index] = min(least[index], Double(stageEnd - stageBegin) / Double(operations))
      }
    }
    return least.map { $0 / leastOfRound }
  }

  /// CPU time of the calling thread.
  private static var threadNanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// Integer hashing over some kilobytes. One round takes about a microsecond.
///
/// The budgets' times are told in its rounds: whoever changes it writes all budgets anew.
struct ReferenceLoop {
  static let rounds = 1_000
  private static let steps = 256
  private var words = [UInt64](repeating: 1, count: 1_024)
  private var state: UInt64 = 0x9e37_79b9_7f4a_7c15

  @inline(never) mutating func run() {
    var state = state
    words.withUnsafeMutableBufferPointer { words in
      for _ in 0..<ReferenceLoop.rounds * ReferenceLoop.steps {
        let place = Int(truncatingIfNeeded: state >> 54)
        state = (state ^ words[place]) &* 0xff51_afd7_ed55_8ccd
        state ^= state >> 32
        words[place] = state
      }
    }
    self.state = state
  }
}
