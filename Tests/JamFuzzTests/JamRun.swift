import Foundation

/// Whole jams of ten simulated minutes, one after the other, by their numbers.
enum JamRun {
  static let seconds = 600.0

  /// Plays `count` jams, the first of which has the number `first`.
  /// - Parameter say: takes each line at once, whatever happens next.
  /// - Returns: whether all that must hold did.
  static func play(_ count: Int, from first: Int, say: (String) -> Void) -> Bool {
    let kits = RandomKits()
    let begin = Date()
    var broken = 0
    for number in first..<first + count {
      say("jam \(number), after \(Int(-begin.timeIntervalSinceNow)) s")
      var problems: [String]
      do {
        let jam = try WholeRoom(number, seconds: seconds, kits: kits)
        problems = jam.play()
        say("  \(jam.report)")
      } catch {
        problems = ["jam \(number): a fresh journal cannot be opened: \(error)"]
      }
      guard !problems.isEmpty else { continue }
      for problem in problems { say(problem) }
      say("jam \(number) does not hold; play it again with: bandshell-room-fuzz jams 1 \(number)")
      broken += 1
      if broken == 8 { break }
    }
    say("\(count) jams wanted, \(broken) of them do not hold, in \(Int(-begin.timeIntervalSinceNow)) s")
    return broken == 0
  }
}
