import CCounters
import Glibc
import JamRoom

@testable import JamBench

/// Counts what the operations cost that players wait for, and holds that against Tests/Budgets/costs.json.
/// `scripts/costs` starts it.
@main
enum CostsProgram {
  static func main() {
    jam_counts_settle(CommandLine.unsafeArgv)
    let words = Array(CommandLine.arguments.dropFirst())
    guard let file = words.first, words.dropFirst().allSatisfy({ $0 == "--write" }) else {
      end("usage: bandshell-costs FILE [--write]", 2)
    }
    guard jam_counts_are_taken() else { end("Costs: not counted, because a sanitizer has its own allocator.", 0) }
    do {
      // Rooms are on no other thread than a room's.
      exit(try RoomThread.running { try check(file, isWriting: words.count > 1, on: $0) } ? 0 : 1)
    } catch {
      end("\(error)", 2)
    }
  }

  private static let stages: [(name: String, make: @Sendable (RoomThread) throws -> any Stage)] = [
    ("hit", { try EdgeStage(.hit, $0) }),
    ("key", { try EdgeStage(.key, $0) }),
    ("set value", { try EdgeStage(.setValue, $0) }),
    ("turn of a full room", { try LoopStage(.turn, $0) }),
    ("note of a loop", { try LoopStage(.note, $0) }),
    ("block of a voice", { _ in VoiceStage() }),
    ("Opus frame", { _ in try FrameStage() }),
  ]

  /// - Returns: whether nothing costs more than it may.
  private static func check(_ file: String, isWriting: Bool, on thread: RoomThread) throws -> Bool {
    let budgets = isWriting ? try? Budgets(file: file) : try Budgets(file: file)
    var report = Report(countsCalls: jam_system_calls_are_counted())
    var timed: [any Stage] = []
    for stage in stages {
      var counted = try Counting(of: stage.make(thread))
      var (latest, again) = try count(stage.make, thread)
      // Once in some forty runs of this program, eight thousand set values copied 80 bytes more than the time before;
      // the cause was not found. What differs each time is a fault.
      for _ in 0..<2 where again.costs != counted.costs {
        counted = again
        (latest, again) = try count(stage.make, thread)
      }
      report.add(stage.name, counted: counted.costs, again: again.costs)
      timed.append(latest)
    }
    // A neighbour may have been busy all the while: the least of more runs is nearer to the truth.
    var timing = Timing(of: timed, against: try FrameStage())
    for _ in 0..<5 {
      for (stage, time) in zip(stages, timing.run()) { report.add(stage.name, time: time) }
      if let budgets, report.isInTime(budgets) { break }
    }
    print(report.table)
    guard report.unsteady.isEmpty else { return fail("What is counted must be the same each time:", report.unsteady) }
    guard !isWriting else {
      try Budgets.write(report.costs, keeping: budgets, to: file)
      print("\nThese are the budgets from now on: \(file)")
      return true
    }
    guard let budgets else { return true }
    let savings = report.savings(budgets)
    if !savings.isEmpty { print("\nCheaper than \(file) says:\n" + lines(savings)) }
    let failures = report.failures(budgets)
    guard failures.isEmpty else { return fail("Dearer than \(file) allows:", failures) }
    return true
  }

  private static func count(_ make: (RoomThread) throws -> any Stage, _ thread: RoomThread) throws -> (
    any Stage, Counting
  ) {
    let stage = try make(thread)
    return (stage, try Counting(of: stage))
  }

  private static func fail(_ head: String, _ failures: [String]) -> Bool {
    print("\n\(head)\n\(lines(failures))")
    print("Where this has to be so, `scripts/costs --write` writes the new budgets, and the commit says why.")
    return false
  }

  private static func lines(_ lines: [String]) -> String { lines.map { "  \($0)" }.joined(separator: "\n") }

  private static func end(_ text: String, _ code: Int32) -> Never {
    print(text)
    exit(code)
  }
}
