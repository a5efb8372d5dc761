public import ArgumentParser

extension ExitCode {
  /// A file contains something that it should not.
  public static let badData = ExitCode(65)
  /// A port or a device is not available.
  public static let unavailable = ExitCode(69)
  /// Our own bug.
  public static let software = ExitCode(70)

  /// Runs `body`. If that fails, this prints the error, and throws this exit code.
  package func ifFailing<Answer>(_ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch {
      Console.error("\(error)")
      throw self
    }
  }
}

extension StartError {
  /// Runs `body`. If that fails, this prints the reason, and throws the reason's exit code.
  package static func told<Answer>(_ body: () throws(StartError) -> Answer) throws -> Answer {
    do throws(StartError) {
      return try body()
    } catch {
      Console.error(error.text)
      throw error.exitCode
    }
  }
}
