import Glibc

/// How long one operation of each stage takes, in thousandths of an Opus frame: a machine that is
/// slower, or busy, is so for both. The frame is libopus' work and uses a core as ours does. A loop of
/// dependent steps would not do: a neighbour on the same core halves our speed, and leaves it its own.
struct Timing {
  private static let runs = 20

  private let stages: [any Stage]
  private let reference: any Stage
  /// The least nanoseconds of CPU time so far.
  private var leastOfReference = Double.infinity
  private var least: [Double]

  init(of stages: [any Stage], against reference: any Stage) {
    (self.stages, self.reference) = (stages, reference)
    least = stages.map { _ in .infinity }
  }

  /// Twenty runs of each stage and of the reference, in turns.
  /// - Returns: for each stage the least time of all runs so far, in thousandths of the reference's.
  mutating func run() -> [Double] {
    for _ in 0..<Timing.runs {
      for (index, stage) in stages.enumerated() {
        leastOfReference = min(leastOfReference, Timing.nanoseconds(of: reference))
        least[index] = min(least[index], Timing.nanoseconds(of: stage))
      }
    }
    return least.map { $0 / leastOfReference * 1_000 }
  }

  /// Of one operation.
  private static func nanoseconds(of stage: any Stage) -> Double {
    stage.prepare()
    let begin = Timing.threadNanoseconds
    stage.run()
    return Double(Timing.threadNanoseconds - begin) / Double(max(1, stage.operations))
  }

  /// CPU time of the calling thread.
  private static var threadNanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
