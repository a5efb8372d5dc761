import Glibc
import JamCore
import KitTestSupport
import Testing

@testable import JamKit

@Suite struct DraftTests {
  @Test("what a killed server left half written is swept away, also as it was named before; nothing else is")
  func sweeping() throws {
    let folder = try TemporaryFolder()
    let hash = String(repeating: "a", count: 64)
    let kept = [
      "\(hash).flac", "names.json", "fill-0123456789ab.json", "my-kit", ".hidden", "a.b.c", "fill.json.backup",
    ]
    let drafts = [
      ".draft-names.json.AbC123", "\(hash).flac.Xy12Zz", "names.json.00a000", "fill-0123456789ab.json.abcde1",
    ]
    let folders = [".draft-my-kit.AbC123", ".my-kit.Qq11Ww"]
    for name in kept + drafts { try place([1], "\(folder.path)/\(name)") }
    for name in folders {
      try Files.makeFolder("\(folder.path)/\(name)")
      try place([1], "\(folder.path)/\(name)/01-kick.flac")
      try place([1], "\(folder.path)/\(name)/.draft-kit.json.abc123")
    }
    #expect(Drafts.sweep(folder.path) == drafts.count + folders.count)
    #expect(folder.everything == kept.sorted())
    for name in [".hidden", "a.b.c", "fill.json.backup"] { Files.remove("\(folder.path)/\(name)") }
  }

  @Test("a draft that somebody writes stays")
  func held() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/.draft-names.json.AbC123"
    let file = open(path, O_RDWR | O_CREAT, 0o600)
    Drafts.claim(file)
    #expect(Drafts.sweep(folder.path) == 0 && folder.everything.count == 1)
    close(file)
    #expect(Drafts.sweep(folder.path) == 1 && folder.everything.isEmpty)
    do {
      let draft = try DraftFolder(for: "\(folder.path)/kit")
      #expect(Drafts.sweep(folder.path) == 0 && Files.isFolder(draft.path))
    }
    #expect(Drafts.sweep(folder.path) == 1)
  }

  @Test("a draft goes with the folders in it, and what its links lead to stays")
  func folders() throws {
    let folder = try TemporaryFolder()
    let draft = "\(folder.path)/.draft-kit.AbC123"
    for path in [draft, "\(draft)/deep", "\(draft)/deep/deeper", "\(folder.path)/stays"] {
      #expect(mkdir(path, 0o755) == 0)
    }
    try place([1], "\(draft)/deep/deeper/a.flac")
    try place([1], "\(folder.path)/stays/b.flac")
    #expect(symlink("\(folder.path)/stays", "\(draft)/deep/link") == 0)
    #expect(Drafts.sweep(folder.path) == 1)
    #expect(Files.names(in: folder.path, hidden: true) == ["stays"])
    #expect(Files.names(in: "\(folder.path)/stays") == ["b.flac"])
  }

  @Test("drafts of every room's blocks are swept")
  func blocks() throws {
    let folder = try TemporaryFolder()
    let blocks = BlockFolder(in: folder.path, room: "main")
    try blocks.keep(Block(name: "a", length: Beats(4), hits: []))
    try place([1], "\(blocks.path)/.draft-b.json.AbC123")
    BlockFolder.sweepDrafts(in: folder.path)
    #expect(Files.names(in: blocks.path, hidden: true)?.count == 1)
  }

  private func place(_ bytes: [UInt8], _ path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o644)
    #expect(file >= 0, "\(path)")
    #expect(write(file, bytes, bytes.count) == bytes.count)
    close(file)
  }
}
