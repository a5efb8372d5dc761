import Glibc
import JamCore
import KitTestSupport
import Testing

@testable import JamImport
@testable import JamKit

/// Whatever somebody names as a source: one line says which file, what is wrong and what to do, and nothing is left behind.
@Suite("Bad imports")
struct BadImportTests {
  private let folder: TemporaryFolder
  private static let wave = SoundFormat(code: 0x01_0002)

  init() throws { folder = try TemporaryFolder() }

  /// Imports `source`, which cannot work, and looks around.
  private func refusal(of source: String, to target: String = "kit") -> String {
    let before = folder.everything
    let error = #expect(throws: KitError.self) {
      try KitImporter.importKit(from: folder.path + "/" + source, to: folder.path + "/" + target, levels: false)
    }
    #expect(folder.everything == before)
    return error.map { $0.description.replacing(folder.path + "/", with: "") } ?? ""
  }

  struct Trick: CustomTestStringConvertible {
    let testDescription: String
    let refusal: String
    let make: @Sendable (inout Tar) -> Void

    init(_ name: String, _ refusal: String, _ make: @escaping @Sendable (inout Tar) -> Void) {
      testDescription = name
      self.refusal = refusal
      self.make = make
    }
  }

  private static let unpackable = "; pack it anew, or unpack it yourself and name the folder"

  @Test(
    "archives with tricks in them are refused, packed or not",
    arguments: [
      Trick("an absolute path", "(/etc/cron.d/x leads out of it)") { $0.add("/etc/cron.d/x", [1]) },
      Trick("a way up", "(sub/../../x leads out of it)") { $0.add("sub/../../x", [1]) },
      Trick("a symbolic link", "(a.wav is a link, and a kit has only files and folders)") {
        $0.add("a.wav", kind: "2")
      },
      Trick("a hard link", "(a.wav is a link, and a kit has only files and folders)") { $0.add("a.wav", kind: "1") },
      Trick("a character device", "(tty is a device, and a kit has only files and folders)") {
        $0.add("tty", kind: "3")
      },
      Trick("a block device", "(sda is a device, and a kit has only files and folders)") { $0.add("sda", kind: "4") },
      Trick("a pipe", "(p is a pipe, and a kit has only files and folders)") { $0.add("p", kind: "6") },
      Trick("a size beyond the end", "(an entry is longer than the archive)") { $0.add("a.wav", [1], size: 1 << 32) },
      Trick("4,097 entries", "(it holds more than 4096 entries)") { for n in 0..<4_097 { $0.add("\(n)") } },
      Trick("a name with control characters", "(a [2J b is a link, and a kit has only files and folders)") {
        $0.add("a\u{1b}[2J\nb", kind: "2")
      },
    ], [false, true])
  func tricks(trick: Trick, packed: Bool) throws {
    var tar = Tar()
    tar.add("drumkit.xml", Array("<drumkit_info/>".utf8))
    trick.make(&tar)
    try folder.write(packed ? HydrogenImportTests.gzipped(tar.finished) : tar.finished, to: "a.h2drumkit")
    #expect(refusal(of: "a.h2drumkit") == "a.h2drumkit: cannot be unpacked \(trick.refusal)\(Self.unpackable)")
  }

  @Test("a gzip bomb is told before it has grown")
  func bomb() throws {
    let bomb = Self.zeros(mebibytes: 512)
    #expect(bomb.count < 4 << 20)
    try folder.write(bomb, to: "a.tar.gz")
    #expect(refusal(of: "a.tar.gz") == "a.tar.gz: unpacks to more than 64 MiB; unpack it yourself and name the folder")
  }

  @Test("an archive that ends too early is told, wherever it is cut", arguments: [9, 600, 1_300])
  func truncated(length: Int) throws {
    var tar = Tar()
    tar.add("drumkit.xml", Array("<drumkit_info/>".utf8))
    try folder.write(HydrogenImportTests.gzipped(tar.finished).prefix(length), to: "a.h2drumkit")
    #expect(refusal(of: "a.h2drumkit") == "a.h2drumkit: cannot be unpacked (it ends too early)\(Self.unpackable)")
  }

  @Test("an archive, or a sound, of too many bytes is told without reading it", arguments: ["h2drumkit", "wav"])
  func tooLarge(ending: String) throws {
    try folder.write([], to: "a." + ending)
    #expect(truncate(folder.path + "/a." + ending, (72 << 20) + 1) == 0)
    #expect(
      refusal(of: "a." + ending)
        == (ending == "wav"
          ? "a.wav: is larger than 64 MiB; shorten it or save it as FLAC"
          : "a.h2drumkit: unpacks to more than 64 MiB; unpack it yourself and name the folder"))
  }

  @Test(
    "archives of other kinds are named, and what is taken instead",
    arguments: [
      ("zip", Array("PK\u{3}\u{4}".utf8)), ("rar", Array("Rar!\u{1a}\u{7}".utf8)), ("bzip2", Array("BZh91AY".utf8)),
      ("xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), ("7z", [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]),
      ("zstd", [0x28, 0xb5, 0x2f, 0xfd]),
    ])
  func otherArchives(kind: String, beginning: [UInt8]) throws {
    let told =
      "is a \(kind) archive, and only tar archives (.h2drumkit, .tar, .tar.gz) are read; unpack it and name the folder"
    for name in ["a.zip", "a.h2drumkit"] {
      try folder.write(beginning + [UInt8](repeating: 0, count: 600), to: name)
      #expect(refusal(of: name) == "\(name): \(told)")
    }
    try folder.write(beginning, to: "in/a.zip")
    try folder.write(try Sound.faded().file(Self.wave), to: "in/b.wav")
    let report = try KitImporter.importKit(from: folder.path + "/in", to: folder.path + "/kit", levels: false)
    #expect(report.problems.map(\.description) == ["\(folder.path)/in/a.zip: \(told)"])
  }

  @Test("what is no sound, whatever its name says")
  func notSound() throws {
    for (name, bytes) in [
      ("page.wav", Array("<html></html>".utf8)), ("noise.flac", (0..<2_000).map { UInt8($0 * 7 % 251) }),
    ] {
      try folder.write(bytes, to: name)
      let text = refusal(of: name)
      #expect(text.hasPrefix("\(name): is not a sound file that can be read ("))
      #expect(text.hasSuffix("); save it as \(SoundFormat.readable)"))
    }
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    #expect(refusal(of: "pipe") == "pipe: is not a regular file; put a sound file in its place")
    unlink(folder.path + "/pipe")
  }

  @Test("an import of nothing says what it looked for")
  func nothing() throws {
    try Files.makeFolder(folder.path + "/empty")
    #expect(
      refusal(of: "empty").hasPrefix("empty: holds no sound file that can be read, so nothing was imported; name a"))
    try folder.write("<drumkit_info><instrumentList/></drumkit_info>", to: "h/drumkit.xml")
    #expect(
      refusal(of: "h").hasPrefix("h: holds no instrument with a sound that can be read, so nothing was imported; "))
    try folder.write("", to: "a.sfz")
    #expect(
      refusal(of: "a.sfz").hasPrefix("a.sfz: holds no region with a sound that can be read, so nothing was imported"))
    try folder.write("", to: "a.wav")
    #expect(refusal(of: "a.wav") == "a.wav: holds no sound; save it again")
    try folder.write(Tar().finished, to: "a.h2drumkit")
    #expect(refusal(of: "a.h2drumkit").hasPrefix("a.h2drumkit: holds no instrument with a sound that can be read"))
    #expect(refusal(of: "gone").hasPrefix("gone: no such file or folder; name a Hydrogen kit, "))
  }

  @Test("names with control characters, slashes or no text at all harm neither screen nor folder")
  func names() throws {
    let sound = try Sound.faded().file(Self.wave)
    let name = "a\u{1b}[2J\n\u{202e}b\\c"
    try folder.write(sound, to: "in/\(name).wav")
    try folder.write("text", to: "in/\(name).txt")
    var raw = Array((folder.path + "/in/").utf8) + [0xff, 0xfe]
    raw += Array(".wav\0".utf8)
    let file = raw.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { open($0.baseAddress!, O_CREAT | O_WRONLY, 0o600) }
    }
    #expect(file >= 0)
    close(file)
    let report = try KitImporter.importKit(from: folder.path + "/in", to: folder.path + "/kit", levels: false)
    #expect(report.pads.map(\.source) == ["a?[2J??b\\c.wav"])
    #expect(folder.everything == ["in", "kit"])
    #expect(Files.names(in: folder.path + "/kit")?.sorted() == ["01-a-2j-b-c.flac", "kit.json"])
    let told = report.problems.map { $0.description.replacing(folder.path + "/in/", with: "") }
    #expect(
      told.sorted() == [
        "a?[2J??b\\c.txt: is not a sound file that can be read (Format not recognised); save it as \(SoundFormat.readable)",
        "\u{fffd}\u{fffd}.wav: has a name that is no UTF-8; rename it",
      ])
    // As `TemporaryFolder` could not name it.
    raw.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { _ = unlink($0.baseAddress!) }
    }
  }

  @Test("a target that is there, as a kit or as a file, stays as it is")
  func taken() throws {
    try folder.write(try Sound.faded().file(Self.wave), to: "in/a.wav")
    try folder.write("mine", to: "kit/kit.json")
    try folder.write("mine", to: "file")
    let told = "is already there; remove it or name another folder"
    #expect(refusal(of: "in") == "kit: \(told)")
    #expect(refusal(of: "in", to: "file") == "file: \(told)")
    #expect(try Files.read(folder.path + "/kit/kit.json", limit: 9) == Array("mine".utf8))
    let place = "no such folder; make it first, or name a place in one that is there"
    #expect(refusal(of: "in", to: "no/kit") == "no: \(place)")
    #expect(refusal(of: "in", to: "no/more/kit//") == "no/more: \(place)")
    #expect(refusal(of: "in", to: "file/kit") == "file: \(place)")
  }

  /// In a process of its own, for the limit is the whole process'.
  @Test("a disk that is full is told by file, and the draft goes")
  func fullDisk() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      for n in 1...3 {
        try folder.write(try Sound.faded(Double(300 + n), seconds: Double(n)).file(Self.wave), to: "in/\(n).wav")
      }
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 30_000, rlim_max: 30_000)
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let error = #expect(throws: KitError.self) {
        try KitImporter.importKit(from: folder.path + "/in", to: folder.path + "/kit", levels: false)
      }
      let text = error?.description ?? ""
      #expect(text.hasPrefix(folder.path + "/kit/0"))
      #expect(text.hasSuffix(".flac: cannot be written (File too large); check permissions and free space"))
      #expect(folder.everything == ["in"])
    }
  }

  /// Zeros as gzip packs them best: one literal, then copies of 258 bytes each from one byte before (RFC 1951 §3.2.6).
  private static func zeros(mebibytes: Int) -> [UInt8] {
    var packed: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
    var byte: UInt8 = 0
    var filled: UInt8 = 0
    func bit(_ isSet: Bool) {
      if isSet { byte |= 1 << filled }
      filled += 1
      if filled == 8 {
        packed.append(byte)
        byte = 0
        filled = 0
      }
    }
    // The last block, fixed codes; a literal 0. Codes go in from their highest bit.
    for digit in "110" + "00110000" { bit(digit == "1") }
    let copy = "11000101" + "00000"
    for _ in 0..<(mebibytes << 20) / 258 { for digit in copy.utf8 { bit(digit == 49) } }
    for _ in 0..<15 { bit(false) }
    return packed
  }

  @Test("NaN, eight channels and no frames are told with their file; 192 kHz and 0.1 s are a sound like any")
  func shapes() throws {
    let float = SoundFormat(code: 0x01_0006)
    var broken = Sound.faded()
    broken.interleaved[100] = .nan
    let eight = Sound(interleaved: [Float](repeating: 0.1, count: 8 * 4_800), channels: 8, rate: 48_000)
    let folder = try TemporaryFolder()
    for (name, sound) in [
      ("1 nan", broken), ("2 eight", eight), ("3 fast", Sound.faded(rate: 192_000)),
      ("4 short", Sound.faded(500, seconds: 0.1)),
    ] { try folder.write(try sound.file(float), to: "in/\(name).wav") }
    let report = try KitImporter.importKit(from: folder.path + "/in", to: folder.path + "/kit", levels: false)
    #expect(report.pads.map(\.source) == ["3 fast.wav", "4 short.wav"])
    #expect(
      report.problems == [
        KitError(folder.path + "/in/1 nan.wav", .damaged(cause: "it holds values that are no sound")),
        KitError(folder.path + "/in/2 eight.wav", .tooManyChannels(count: 8)),
      ])
    let kit = try KitFolder(folder.path + "/kit").load()
    #expect(kit.sample(Pad.all[0])?.frameCount == 12_000 && kit.sample(Pad.all[1])?.frameCount == 4_800)
  }
}
