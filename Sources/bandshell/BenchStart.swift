import ArgumentParser
import Glibc
import JamCommand

/// `bandshell bench`: starts the benches. They are a program of their own, so that only people who
/// want figures have to build it.
struct BenchStart: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measure what this machine can carry, by bandshell-bench.",
    usage: "bandshell bench [<bench> …] [<options>]")

  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

  func run() throws {
    let program = SiblingProgram.bench
    guard let path = program.path else {
      Console.error(
        """
        the benches are a program of their own, \(program.rawValue), and it is not beside this one: run `make bench` \
        in the project's folder
        """
      )
      throw ExitCode.unavailable
    }
    var words = ([program.rawValue] + arguments).map { strdup($0) }
    words.append(nil)
    execv(path, words)
    Console.error("\(path) does not start: \(SystemError.text(errno))")
    throw ExitCode.unavailable
  }
}
