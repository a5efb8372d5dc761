import NIOCore
import Testing

@testable import JamWeb

/// What the server serves under an address of the page.
func text(of path: String) throws -> String {
  String(buffer: try #require(Asset.all.first { $0.path == path }, "\(path)").bytes)
}
