import Foundation
import JamKit
import JamRoom
import Testing

/// A text in Tests/Golden that says how something was: hashes, line by line, so that a difference
/// names its place.
///
/// `BANDSHELL_GOLDEN=write swift test --filter Golden` writes the texts anew.
enum GoldenText {
  static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  static let folder = tests.appending(path: "Golden")

  /// The kits that come with the program, and sounds that players brought along.
  /// - Parameter sounds: where they lie; without it in Tests/Golden.
  static func kitStore(sounds: SoundFolder = SoundFolder(folder.appending(path: "sounds").path)) -> KitStore {
    KitStore(
      catalogue: KitCatalogue(scanning: [tests.deletingLastPathComponent().appending(path: "Kits").path]),
      sounds: sounds)
  }

  /// Requires that the lines are those of the file at `path`, which counts from Tests/Golden.
  static func check(_ lines: [String], _ path: String, _ location: SourceLocation = #_sourceLocation) throws {
    let file = folder.appending(path: path)
    if ProcessInfo.processInfo.environment["BANDSHELL_GOLDEN"] == "write" {
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    }
    let known = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    let changes = lines.difference(from: known).map { change in
      switch change {
      case .remove(_, let line, _): "- \(line)"
      case .insert(_, let line, _): "+ \(line)"
      }
    }
    #expect(changes == [], "\(path)", sourceLocation: location)
  }

  /// Sixteen digits of a hash.
  static func hash(_ bytes: [UInt8]) -> String { String("\(bytes.withUnsafeBytes { ContentHash($0) })".prefix(16)) }
  static func hash(_ samples: [Float]) -> String {
    String("\(samples.withUnsafeBytes { ContentHash($0) })".prefix(16))
  }
}
