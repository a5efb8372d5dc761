import ArgumentParser

/// Why the server could not start: one line that says what to do, and the exit code.
struct StartError: Error {
  var text: String
  var exitCode: ExitCode

  init(_ text: String, _ exitCode: ExitCode) {
    self.text = text
    self.exitCode = exitCode
  }
}
