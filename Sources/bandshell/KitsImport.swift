import ArgumentParser
import JamKit

/// `bandshell kits import`.
struct KitsImport: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "import", abstract: "x")
  func run() throws {}
}
