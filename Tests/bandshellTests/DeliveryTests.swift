import Foundation
import JamCore
import JamRealtime
@testable import JamKit
@testable import JamRoom
@testable import JamServer
import Testing

@testable import bandshell

/// Kits and sounds that a file brings: checked and paid for first, then kept whole or not at all.
@Suite struct DeliveryTests {
  private static let kits = URL(filePath: #filePath).appending(path: "../../../Kits").standardized.path
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store() -> KitStore {
    KitStore(
      catalogue: KitCatalogue(scanning: DataFolder.kitFolders([Self.kits], and: folder.path)),
      sounds: DataFolder.sounds(in: folder.path), savedKits: DataFolder.kits(in: folder.path),
      blocks: DataFolder.blocks(in: folder.path))
  }

  /// A kit of one pad, and a file that it does not name.
  private func kit(_ name: String) throws -> [String: [UInt8]] {
    let text = """
      { "format": 1, "name": "\(name)", "category": "electronic", "order": 900, "description": "A test.",
        "colours": ["#ff5a36", "#2b2d6e"],
        "pads": [{ "pad": 1, "layers": [{ "files": ["rim.flac"] }], "name": "Rim", "category": "percussion" }] }
      """
    return ["kit.json": Array(text.utf8), "rim.flac": try sound("rim"), "more.txt": [1]]
  }

  private func sound(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: "\(Self.kits)/starter/\(name).flac")))
  }

  private func hash(_ bytes: [UInt8]) -> String { "\(bytes.withUnsafeBytes { ContentHash($0) })" }

  private func sounds(_ names: String...) throws -> [String: [UInt8]] {
    var sounds: [String: [UInt8]] = [:]
    for name in names {
      let bytes = try sound(name)
      sounds[hash(bytes)] = bytes
    }
    return sounds
  }

  /// The names of all files below the data folder.
  private var everything: [String] {
    (FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []).filter { name in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(folder.path)/\(name)", isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }

  private func problem(_ body: () throws -> Void) -> DeliveryProblem? {
    do { try body() } catch { return error as? DeliveryProblem }
    return nil
  }

  @Test("more kits than a share has are refused before anything is decoded, and not for who runs the server")
  func share() throws {
    let store = store()
    var kits: [String: [String: [UInt8]]] = [:]
    for number in 1...17 { kits["tiny-\(number)"] = try kit("Tiny \(number)") }
    let found = problem { _ = try Delivery(sounds: [:], kits: kits, from: "s", to: store) }
    #expect(found == .tooMany(.kit, count: 17, most: 16))
    kits["tiny-17"] = nil
    var delivery = try Delivery(sounds: [:], kits: kits, from: "s", to: store)
    while !delivery.isChecked { _ = try delivery.checkNext() }
    // Another kit is saved before this file is written.
    #expect(store.maySave(.kit, by: "s"))
    guard case .tooSoon(.kit, let seconds)? = problem({ _ = try store.keepNow(delivery) }) else {
      Issue.record("it was kept")
      return
    }
    #expect((1...120).contains(seconds))
    #expect(everything == [])
    _ = try Delivery(sounds: [:], kits: kits, from: nil, to: store)
    _ = try Delivery(sounds: [:], kits: kits, from: "another", to: store)
  }

  @Test("what is here already takes from no share, and only what a kit names is written")
  func known() throws {
    let store = store()
    let all = try sounds("rim", "impact")
    func bring(_ sender: String) throws -> Delivery {
      try Delivery(sounds: all, kits: ["tiny": try kit("Tiny")], from: sender, to: store)
    }
    let first = try bring("s")
    #expect(first.kits.count == 1 && first.sounds.count == 2)
    store.settleNow(try store.keepNow(first), isTaken: true)
    let kept = everything
    #expect(kept == (["kits/tiny/kit.json", "kits/tiny/rim.flac"] + all.keys.map { "sounds/\($0).flac" }).sorted())
    for _ in 0..<20 {
      let again = try bring("s")
      #expect(again.isChecked && again.kits.isEmpty && again.sounds.isEmpty && again.ids == ["tiny": "tiny"])
      store.settleNow(try store.keepNow(again), isTaken: true)
    }
    #expect(everything == kept)
    // Another kit of that id gets another one, and a file that is one kit is refused.
    let other = try Delivery(sounds: [:], kits: ["tiny": try kit("Other")], from: "s", to: store)
    #expect(other.ids == ["tiny": "tiny-2"])
    let found = problem {
      _ = try Delivery(sounds: [:], kits: ["tiny": try kit("Other")], isKit: true, from: "s", to: store)
    }
    #expect(found == .taken("tiny"))
    // One that the same file brings is not taken for it.
    let both = try Delivery(
      sounds: [:], kits: ["tiny": try kit("Other"), "tiny-2": try kit("Third")], from: "s", to: store)
    #expect(both.ids == ["tiny": "tiny-3", "tiny-2": "tiny-2"])
  }

  @Test("a bad sound in the midst leaves nothing, and what nobody took is gone again")
  func refused() throws {
    let store = store()
    let bad: [UInt8] = Array("fLaC".utf8) + [UInt8](repeating: 7, count: 100)
    var all = try sounds("rim", "impact")
    all[hash(bad)] = bad
    var kit = try kit("Tiny")
    kit["rim.flac"] = bad
    for (sounds, kits) in [(all, [:]), ([:], ["tiny": kit])] {
      let found = problem {
        _ = try store.keepNow(try Delivery(sounds: sounds, kits: kits, from: "s", to: store))
      }
      guard case .kit? = found else {
        Issue.record("\(String(describing: found))")
        continue
      }
    }
    #expect(everything == [])
    all[hash(bad)] = nil
    let delivery = try Delivery(sounds: all, kits: ["tiny": try self.kit("Tiny")], from: "s", to: store)
    let delivered = try store.keepNow(delivery)
    #expect(store.isThere("tiny") && everything.contains("sounds/.delivery"))
    store.settleNow(delivered, isTaken: false)
    #expect(!store.isThere("tiny") && everything == [])
  }

  @Test("what a killed server had written of a file is gone after the next start, and what is needed stays")
  func crash() throws {
    let all = try sounds("rim", "impact")
    let wanted = try #require(all.keys.min())
    func interrupt(_ id: String) throws {
      let store = store()
      _ = try store.keepNow(try Delivery(sounds: all, kits: [id: try kit(id)], from: "s", to: store))
      #expect(everything.contains("sounds/.delivery"))
    }
    try interrupt("tiny")
    let after = store()
    after.undoDelivery(wantedSounds: [wanted], wantedKits: [])
    #expect(!after.isThere("tiny") && everything == ["sounds/\(wanted).flac"])
    try interrupt("tiny")
    // A block was kept that needs the kit and the other sound.
    let other = try #require(all.keys.max())
    let hits = [SampleID.pad(Pad(1)!, of: "tiny"), .own(other)].map { sample in
      BlockHit(
        position: .zero, velocity: .full,
        sound: .voicing(Voicing(pad: Pad(1)!, sample: sample, settings: PadSettings())))
    }
    try BlockFolder(in: DataFolder.blocks(in: folder.path), room: "main").keep(
      Block(name: "beat", owner: PlayerName("ann"), length: Beats(4), hits: hits))
    let last = store()
    last.undoDelivery(wantedSounds: [], wantedKits: [])
    #expect(last.isThere("tiny") && last.hasSound(other) && !everything.contains("sounds/.delivery"))
    // Where projects cannot be read, everything stays.
    try interrupt("solo")
    let blind = store()
    blind.undoDelivery(wantedSounds: nil, wantedKits: nil)
    #expect(blind.isThere("solo") && !everything.contains("sounds/.delivery"))
  }

  @Test("sound that was decoded counts for its sender, whether it is kept or not")
  func seconds() throws {
    let store = store()
    let all = try sounds("rim", "impact")
    var delivery = try Delivery(sounds: all, kits: [:], from: "s", to: store)
    let first = try delivery.checkNext()
    #expect(first > 0 && !delivery.isChecked)
    // Another file of the sender's has used up the rest.
    store.spend(3_600, decodedFor: "s")
    guard case .tooSoon(.decodedSecond, _)? = problem({ _ = try delivery.checkNext() }) else {
      Issue.record("it was decoded")
      return
    }
    var other = try Delivery(sounds: all, kits: [:], from: "another", to: store)
    _ = try other.checkNext()
    let long = problem { try store.requireDecoding(for: "another", after: 3_600) }
    #expect(long == .tooMany(.decodedSecond, count: 3_600, most: 3_600))
  }

  @Test("a file's problem is told in words that say what to do")
  func words() {
    let many = DeliveryProblem.tooMany(.kit, count: 20, most: 16)
    #expect(many.words("Harbour").contains("20 kits") && many.words("Harbour").contains("bandshell project import"))
    #expect(many.wait == nil)
    let soon = DeliveryProblem.tooSoon(.sound, seconds: 150)
    #expect(soon.words("Harbour").contains("3 min") && soon.wait == 150)
    #expect(DeliveryProblem.kit(KitError("mine", .empty)).words("mine") == "mine: holds no sound; save it again")
  }

  @Test("a kit that was taken back is in no list and takes no place, also after a kill, and can be loaded")
  func takenBack() async throws {
    let store = store()
    var delivery = try Delivery(sounds: [:], kits: ["tiny": try kit("Tiny")], from: "s", to: store)
    while !delivery.isChecked { _ = try delivery.checkNext() }
    let delivered = try store.keepNow(delivery)
    store.settleNow(delivered, isTaken: true)
    let id = try #require(delivered.kits.first)
    func isListed(_ store: KitStore) -> Bool { store.listedKits.contains { $0.id == id } }
    #expect(isListed(store) && store.placesTaken(by: 1) == 1)
    store.mark([id, "no-such-kit"], asTaken: true)
    await store.kitsAreWritten()
    #expect(!isListed(store) && store.isThere(id) && store.takenKits == [id])
    #expect(store.placesTaken(by: 1) == 0)
    let kits = ["tiny": try kit("Tiny")]
    let music = try Delivery(sounds: [:], kits: kits, from: "s", to: store)
    #expect(music.ids == ["tiny": "tiny"] && music.kits.isEmpty)
    let alone = problem { _ = try Delivery(sounds: [:], kits: kits, isKit: true, from: "s", to: store) }
    #expect(alone == .taken("tiny"))
    let next = self.store()
    #expect(next.takenKits == [id] && !isListed(next))
    #expect(try next.load(id).kit.id == id, "who plays it has it again")
    next.mark([id], asTaken: false)
    await next.kitsAreWritten()
    #expect(isListed(next) && self.store().takenKits.isEmpty)
    next.mark([id], asTaken: true)
    await withCheckedContinuation { done in next.delete(id) { _ in done.resume() } }
    #expect(next.takenKits.isEmpty && self.store().takenKits.isEmpty && !isListed(next))
  }

  @Test("a kit that gets the id of one that was taken back and is gone since is listed, restarts later too")
  func takenBackAndGone() async throws {
    let first = store()
    var delivery = try Delivery(sounds: [:], kits: ["tiny": try kit("Tiny")], from: "s", to: first)
    while !delivery.isChecked { _ = try delivery.checkNext() }
    first.settleNow(try first.keepNow(delivery), isTaken: true)
    first.mark(["tiny"], asTaken: true)
    await first.kitsAreWritten()
    // An operator removes the folder, or the server was killed before it noted that the kit is gone.
    try FileManager.default.removeItem(atPath: "\(DataFolder.kits(in: folder.path))/tiny")
    let second = store()
    second.sweepDrafts()
    var again = try Delivery(sounds: [:], kits: ["tiny": try kit("Tiny")], from: "s", to: second)
    while !again.isChecked { _ = try again.checkNext() }
    second.settleNow(try second.keepNow(again), isTaken: true)
    let third = store()
    #expect(third.takenKits.isEmpty && third.listedKits.contains { $0.id == "tiny" })
  }

  @Test("a sound's name that is taken back as soon as it was kept stays taken back")
  func takenBackAtOnce() async throws {
    let store = store()
    let made = try FinishedSound(file: try sound("rim"), named: "rim")
    let memory = made.memory
    let own = OwnSound(
      PlayableSound(memory.view, owner: memory), hash: memory.hash, name: "rim", category: .percussion)
    try #require(store.sounds).keep(made)
    let room = try #require(PlayerName("main"))
    store.keepName(of: own, in: room, by: "bob")
    store.mark([ListedSound(own)], in: room, asTaken: true)
    await store.areWritten(KitStore.soundNames)
    #expect(store.keptSounds.isEmpty && store.names?.takenCount == 1)
    #expect(SoundNames(of: DataFolder.sounds(in: folder.path)).takenCount == 1)
    // The last name that goes takes the file along.
    store.mark([ListedSound(own)], in: room, asTaken: false)
    store.forget("\(memory.hash)", name: "rim", in: room)
    await store.areWritten(KitStore.soundNames)
    await store.areWritten(KitStore.soundFiles)
    #expect(!everything.contains("sounds/\(memory.hash).flac"))
  }
}

extension KitStore {
  fileprivate func kitsAreWritten() async { await areWritten(.keeping("kits")) }

  /// Waits for what was ordered in the line before.
  fileprivate func areWritten(_ line: BackgroundPool.Line) async {
    await withCheckedContinuation { done in
      if !background.submit(line, { done.resume() }) { done.resume() }
    }
  }
}
