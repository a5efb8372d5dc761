// Rooms played by chance, for long: bandshell-room-fuzz [COMMANDS] [FIRST SEED] [ROOMS AT MOST]
// [SCHEDULES]. It says the seed of each room before it plays it; that seed alone plays it again.
// First come schedules: what is sent ahead with timetags, and the same sent at its times. With
// COMMANDS 0 there are no rooms.
// Or whole jams of ten simulated minutes: bandshell-room-fuzz jams [JAMS] [FIRST NUMBER].
import Foundation

/// At once, whatever happens next.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

if CommandLine.arguments.dropFirst().first == "jams" {
  let numbers = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
  let isWell = JamRun.play(max(1, numbers.first ?? 1_000), from: numbers.count > 1 ? max(0, numbers[1]) : 0, say: say)
  exit(isWell ? 0 : 1)
}

let given = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let wanted = given.first ?? 1_000_000
var seed = given.count > 1 ? given[1] : 1
let last = given.count > 2 ? seed + given[2] : .max
let schedules = given.count > 3 ? given[3] : given.count > 2 ? 0 : 100_000
let commandsPerRoom = 20_000

let kits = FuzzKits()
let begin = Date()
for number in seed..<seed + schedules {
  let problems = FuzzSchedule.problems(number, kits, isHeard: number % 50 == 0)
  for problem in problems { say(problem) }
  if !problems.isEmpty { exit(1) }
  if number % 10_000 == 0 { say("schedule \(number), after \(Int(-begin.timeIntervalSinceNow)) s") }
}
say("\(schedules) schedules")
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
