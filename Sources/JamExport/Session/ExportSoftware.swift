/// The program that made the files.
public struct ExportSoftware: Hashable, Sendable {
  public var name: String
  public var version: String

  public init(name: String = "Bandshell", version: String = "0") {
    self.name = name
    self.version = version
  }
}
