import ArgumentParser

/// Why the house could not open: one line that says what to do, and the exit code.
struct HouseError: Error {
  var text: String
  var exitCode: ExitCode

  init(_ text: String, _ exitCode: ExitCode) {
    self.text = text
    self.exitCode = exitCode
  }
}
