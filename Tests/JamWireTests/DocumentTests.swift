import Foundation
import JamCore
import JamWire
import Testing

@Suite struct DocumentTests {
  @Test("the pages of addresses and errors say what the table says", arguments: OSCDocument.pages())
  func committedPages(page: OSCDocument.Page) throws {
    let file = Golden.root.appending(path: "Protocol/\(page.path)")
    if ProcessInfo.processInfo.environment["BANDSHELL_WRITE_PROTOCOL"] == "1" {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try page.text.write(to: file, atomically: true, encoding: .utf8)
    }
    let committed = try String(contentsOf: file, encoding: .utf8)
    #expect(
      committed == page.text,
      "Protocol/\(page.path) is stale: run BANDSHELL_WRITE_PROTOCOL=1 swift test --filter DocumentTests and commit it")
  }

  @Test("generated pages have lines of 100 columns at most, but for one long word, and no page is left over")
  func shapeOfPages() throws {
    let pages = OSCDocument.pages()
    for page in pages {
      for line in page.text.split(separator: "\n") {
        #expect(line.count <= 100 || !line.dropFirst(4).contains(" ") || line.hasPrefix("|"), "\(page.path): \(line)")
      }
    }
    let found = try FileManager.default.contentsOfDirectory(atPath: Golden.root.appending(path: "Protocol/osc").path)
    #expect(Set(found.map { "osc/\($0)" }) == Set(pages.map(\.path)).subtracting(["osc.md"]))
  }

  @Test("the pages that people write name the limits that hold") func limits() throws {
    let limits = Limits.standard
    func seconds(_ frames: Frames) -> Int { Int(saturating: frames.seconds) }
    let (least, most) = (seconds(limits.unpingedTimetag), seconds(limits.timetagAhead))
    let named = [
      "packets.md": [
        "a packet over UDP | \(limits.datagramBytes) bytes",
        "a packet over TCP or a WebSocket | \(limits.framedPacketBytes) bytes",
        "bundles in bundles | \(limits.bundleDepth) deep", "a text | \(limits.textBytes) bytes",
      ],
      "time.md": [
        "| up to \(least) s ahead", "| \(least) to \(most) s ahead", "| more than \(most) s ahead",
        "more than \(seconds(limits.heardBehind)) s back",
      ],
    ]
    for (page, fragments) in named {
      let text = try String(contentsOf: Golden.root.appending(path: "Protocol/\(page)"), encoding: .utf8)
      for fragment in fragments { #expect(text.contains(fragment), "\(page)") }
    }
  }

  @Test("Protocol/kit.schema.json says of a pad's settings what their rows say") func kitSchema() throws {
    let file = Golden.root.appending(path: "Protocol/kit.schema.json")
    let written = try String(contentsOf: file, encoding: .utf8)
    let text = try #require(KitSchema.withPadSettings(written))
    if ProcessInfo.processInfo.environment["BANDSHELL_WRITE_PROTOCOL"] == "1" {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let committed = try String(contentsOf: file, encoding: .utf8)
    #expect(
      committed == text,
      "kit.schema.json is stale: run BANDSHELL_WRITE_PROTOCOL=1 swift test --filter DocumentTests and commit it")
  }

  @Test("Protocol/instrument.schema.json says of a patch what its rows say") func instrumentSchema() throws {
    let file = Golden.root.appending(path: "Protocol/instrument.schema.json")
    let text = InstrumentSchema.text()
    if ProcessInfo.processInfo.environment["BANDSHELL_WRITE_PROTOCOL"] == "1" {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let committed = try String(contentsOf: file, encoding: .utf8)
    #expect(
      committed == text,
      "instrument.schema.json is stale: run BANDSHELL_WRITE_PROTOCOL=1 swift test --filter DocumentTests and commit it")
  }

  @Test("no two rows that are sent to the server have the same address") func unique() {
    let received = AddressTable.standard.entries.filter { $0.access != .sent }.map(\.template)
    #expect(Set(received).count == received.count)
  }

  @Test("every row has one line of summary that ends as a sentence") func summaries() {
    for entry in AddressTable.standard.entries {
      #expect(!entry.summary.contains("\n") && entry.summary.last == ".", "\(entry.template)")
    }
  }
}
