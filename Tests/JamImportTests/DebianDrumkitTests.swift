import KitTestSupport
import Testing

@testable import JamImport
@testable import JamKit

/// The kits of Debian's package `hydrogen-drumkits`.
private let drumkits = "/usr/share/hydrogen/data/drumkits"

@Suite("Debian's Hydrogen kits", .enabled(if: Files.isFolder(drumkits), "hydrogen-drumkits is not installed"))
struct DebianDrumkitTests {
  @Test("every one imports, passes every check and loads", arguments: (Files.names(in: drumkits) ?? []).sorted())
  func imports(name: String) throws {
    let folder = try TemporaryFolder()
    let report = try KitImporter.importKit(from: drumkits + "/" + name, to: folder.path + "/kit")
    #expect(report.kind == .hydrogen && !report.pads.isEmpty)
    #expect(KitCheck.problems(of: KitFolder(folder.path + "/kit")) == [])
    let kit = try KitFolder(folder.path + "/kit").load()
    #expect(kit.kit.pads.count { $0 != nil } == report.pads.count)
  }
}
