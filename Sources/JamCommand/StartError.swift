public import ArgumentParser

/// The reason why the server could not start, in one line that says what to do, and the exit code.
public struct StartError: Error {
  public var text: String
  public var exitCode: ExitCode

  public init(_ text: String, _ exitCode: ExitCode) {
    self.text = text
    self.exitCode = exitCode
  }
}
