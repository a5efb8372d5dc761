import Foundation
import Testing

@Suite("type names")
struct TypeNameTests {
  /// Where the modules are.
  private static let sources: String = {
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Sources"
  }()

  @Test("no two modules have a type of the same name")
  func unique() throws {
    var modules: [String: Set<String>] = [:]
    let files = try #require(FileManager.default.enumerator(atPath: TypeNameTests.sources))
    for case let file as String in files where file.hasSuffix(".swift") {
      let module = String(file.prefix { $0 != "/" })
      let text = try String(contentsOfFile: TypeNameTests.sources + "/" + file, encoding: .utf8)
      for name in TypeNameTests.topLevelTypes(in: text) { modules[name, default: []].insert(module) }
    }
    #expect(modules.count > 500)
    for (name, modules) in modules.sorted(by: { $0.key < $1.key }) {
      #expect(modules.count == 1, "\(name) is in \(modules.sorted().joined(separator: " and ")): rename one of them")
    }
  }

  @Test("types are found whatever stands before them; a file's own, and those in other types, do not count")
  func finding() {
    let text = """
      @MainActor public final class One {
        struct Inner {}
      }
      enum Two {}
      private struct Three {}
      fileprivate enum Four {}
      package struct Five: ~Copyable {}
      extension Six {}
      indirect enum Seven {}
      /// struct Eight {}
      public typealias Nine = Int
      """
    #expect(TypeNameTests.topLevelTypes(in: text) == ["One", "Two", "Five", "Seven", "Nine"])
  }

  /// The names of the types that begin at the start of a line, except those that no other file sees.
  private static func topLevelTypes(in text: String) -> [String] {
    let kinds: Set<Substring> = ["struct", "enum", "class", "actor", "protocol", "typealias"]
    let modifiers: Set<Substring> = ["public", "package", "internal", "final", "indirect", "open"]
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
        .drop { $0.hasPrefix("@") || modifiers.contains($0) }
      guard words.count > 1, let kind = words.first, kinds.contains(kind) else { return nil }
      return String(words[words.startIndex + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
  }
}
