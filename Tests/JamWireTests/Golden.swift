import Foundation

/// Files of the repository, found from this source file.
enum Golden {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func packet(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: root.appending(path: "Tests/Golden/osc/\(name)")))
  }
}
