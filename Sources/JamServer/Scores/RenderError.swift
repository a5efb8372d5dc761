package import ArgumentParser
import JamCommand
import JamCore
import JamKit
import JamStream
import JamWire

/// The reason why a score could not be rendered, in one line, and the exit code.
package struct RenderError: Error {
  package var text: String
  package var exitCode: ExitCode

  package init(_ text: String, _ exitCode: ExitCode) {
    self.text = text
    self.exitCode = exitCode
  }

  package static func unreadable(_ path: String, _ code: Int32) -> RenderError {
    RenderError("cannot read \(path): \(SystemError.text(code))", .badData)
  }

  package static func unwritable(_ path: String, _ reason: String) -> RenderError {
    RenderError("cannot write \(path): \(reason)", .unavailable)
  }

  static func score(_ path: String, _ error: ScoreError) -> RenderError {
    RenderError("\(path) is no score: \(error)", .badData)
  }

  package static func incomplete(_ path: String) -> RenderError {
    RenderError("\(path) is written, but lacks what is told above: bring that, or take it out of the score", .badData)
  }

  package static func nothing(in path: String) -> RenderError {
    RenderError("there is nothing in \(path): nobody joins, and nothing is played", .badData)
  }

  static func tooLong(_ frame: Frames, in path: String) -> RenderError {
    RenderError(
      """
      \(path), at \(Seconds.text(frame)): 24 h is the limit; \
      a score's timetags count the seconds from its start, not those of a clock
      """,
      .badData)
  }

  static func message(_ message: OSCMessage, at frame: Frames, in path: String, _ reason: String) -> RenderError {
    RenderError("\(path), at \(Seconds.text(frame)): \(message.address): \(reason)", .badData)
  }
}
