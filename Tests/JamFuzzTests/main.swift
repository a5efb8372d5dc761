// Rooms played by chance, for long: bandshell-room-fuzz [COMMANDS] [FIRST SEED] [ROOMS AT MOST].
// It says the seed of each room before it plays it; that seed alone plays it again.
import Foundation

let given = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let wanted = given.first ?? 1_000_000
var seed = given.count > 1 ? given[1] : 1
let last = given.count > 2 ? seed + given[2] : .max
let commandsPerRoom = 20_000

/// At once, whatever happens next.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let kits = FuzzKits()
let begin = Date()
var commands: UInt64 = 0
var refused: UInt64 = 0
while commands < wanted, seed < last {
  say("room of seed \(seed), after \(commands) commands and \(Int(-begin.timeIntervalSinceNow)) s")
  var run = FuzzRun(kits, seed: seed)
  let problems = run.play(commandsPerRoom)
  guard problems.isEmpty else {
    for problem in problems { say(problem) }
    exit(1)
  }
  commands += UInt64(run.commands)
  refused += UInt64(run.refused)
  seed += 1
}
let seconds = -begin.timeIntervalSinceNow
say("\(commands) commands, \(refused) of them refused as they were read, in \(Int(seconds)) s without a trap")
