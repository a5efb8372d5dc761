public import ArgumentParser

extension ExitCode {
  /// A file contains something that it should not.
  public static let badData = ExitCode(65)
  /// A port or a device is not available.
  public static let unavailable = ExitCode(69)
  /// Our own bug.
  public static let software = ExitCode(70)
}
