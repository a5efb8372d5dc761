package import JamCore
import JamKit
package import JamRoom
import JamStore
import JamWire

/// Makes files of blocks and kits that people can take to another server, and reads the files that
/// they bring.
///
/// Thread: any that may wait.
package struct LibraryFiles {
  let kitStore: KitStore

  package enum Problem: Error, Hashable {
    case notThere(String)
    /// A different block or kit has this name already.
    case taken(String)
    case unusable(String)
    /// The file is good, but the server's disk or its folder takes no more.
    case noSpace(String)
    /// The server keeps no kits and sounds.
    case nothingKept
    /// The sender has brought much lately, and may try again in so many seconds.
    case tooMuch(String, seconds: Int)
    /// Other work comes first: try again in so many seconds.
    case busy(String, seconds: Int)

    package var text: String {
      switch self {
      case .notThere(let text), .taken(let text), .unusable(let text), .noSpace(let text): text
      case .tooMuch(let text, _), .busy(let text, _): text
      case .nothingKept: Refusal.kitsNotKept.words
      }
    }

    init(_ problem: DeliveryProblem, of name: String) {
      let text = problem.words(name)
      switch problem {
      case .kit(let error):
        switch error.reason {
        case .busy: self = .busy(text, seconds: KitStore.secondsOfATurn)
        case .nowhereToKeep: self = .nothingKept
        default: self = error.isLackOfSpace ? .noSpace(text) : .unusable(text)
        }
      case .taken: self = .taken(text)
      case .tooMany, .tooSoon:
        self = problem.wait.map { .tooMuch(text, seconds: $0) } ?? .unusable(text)
      }
    }

    /// Another file is being read in.
    package static let noTurn = Problem.busy(KitStore.noTurn, seconds: KitStore.secondsOfATurn)
  }

  // MARK: Blocks

  /// A block's file, with the sounds and saved kits that the block uses. Ready-made kits are not in
  /// the file, because every server has them.
  package func file(of block: Block) throws(Problem) -> [UInt8] {
    var plain = block
    // The file does not tell whether the block was shared in its room.
    plain.isShared = false
    var file = BlockFile(block: Array(plain.json.utf8), sounds: [:], kits: [:])
    do {
      for sample in block.samples {
        switch sample {
        case .own(let hash): file.sounds[hash] = try kitStore.soundFile(hash)
        case .pad(_, let kit):
          if file.kits[kit] == nil, let files = try kitStore.savedKitFiles(kit) { file.kits[kit] = files }
        // The text of a patch is all of the patch, so there is no file to add.
        case .patch, .nothing: break
        }
      }
      return try file.encoded()
    } catch let error as KitError {
      throw .unusable("\(block.name) cannot be taken along: \(error.told)")
    } catch {
      throw .unusable("\(block.name) cannot be taken along: \(error)")
    }
  }

  /// A block's file that was read, and the kits and sounds that the block needs. None of them is
  /// kept yet.
  package struct ReadBlock: Sendable {
    private let block: Block
    package let delivery: Delivery

    /// For `bring`.
    package var parts: (delivery: Delivery, rest: ReadBlock) { (delivery, self) }

    fileprivate init(_ block: Block, _ delivery: Delivery) {
      self.block = block
      self.delivery = delivery
    }

    /// - Parameter ids: the ids that the file's kits have here: this server may have a different
    ///   kit with the same id.
    package func block(_ ids: [String: String]) -> Block {
      var block = block
      for index in block.hits.indices {
        guard case .voicing(var voicing) = block.hits[index].sound,
          case .pad(let pad, let kit) = voicing.sample, let here = ids[kit]
        else { continue }
        voicing.sample = .pad(pad, of: here)
        block.hits[index].sound = .voicing(voicing)
      }
      return block
    }
  }

  /// Reads a block's file, and finds out whether its kits and sounds may come. Writes nothing.
  /// - Parameters:
  ///   - name: the block's name on this server.
  ///   - sender: nil where no limit holds.
  package func read(
    block bytes: [UInt8], named name: String, from sender: String?
  ) throws(Problem) -> ReadBlock {
    let file: BlockFile
    do throws(BlockFile.Problem) { file = try BlockFile(bytes, named: name) } catch { throw .unusable("\(error)") }
    var block: Block
    do throws(KitError) {
      guard file.block.count <= BlockFolder.byteLimit else {
        throw KitError("block.json", .tooLarge(limit: BlockFolder.byteLimit))
      }
      block = try Block(reading: file.block, of: "block.json")
    } catch {
      throw .unusable("\(name): \(error)")
    }
    guard block.hits.count <= Limits.standard.hitsPerBlock, !block.hits.isEmpty else {
      throw .unusable("\(name): a block has 1–\(Limits.standard.hitsPerBlock) hits")
    }
    block.name = name
    try requireEverything(of: block, in: file)
    let hashes = Set(block.samples.compactMap { if case .own(let hash) = $0 { hash } else { nil } })
    let kits = block.kits
    do throws(DeliveryProblem) {
      let delivery = try Delivery(
        sounds: file.sounds.filter { hashes.contains($0.key) },
        kits: file.kits.filter { kits.contains($0.key) }, from: sender, to: kitStore)
      return ReadBlock(block, delivery)
    } catch {
      throw Problem(error, of: name)
    }
  }

  /// Reads a block's file, and keeps its sounds and kits. Nothing is kept where the file contains
  /// no block, or lacks a sound or a kit.
  /// - Parameter name: the block's name on this server.
  package func block(in bytes: [UInt8], named name: String) throws(Problem) -> Block {
    let read = try read(block: bytes, named: name, from: nil)
    return read.block(try keepNow(read.delivery, of: name))
  }

  private func keepNow(_ delivery: Delivery, of name: String) throws(Problem) -> [String: String] {
    do throws(DeliveryProblem) {
      let delivered = try kitStore.keepNow(delivery)
      kitStore.settleNow(delivered, isTaken: true)
      return delivered.ids
    } catch {
      throw Problem(error, of: name)
    }
  }

  /// Checks that every sound and kit of the block is in the file or on this server.
  private func requireEverything(of block: Block, in file: BlockFile) throws(Problem) {
    for sample in block.samples {
      switch sample {
      case .own(let hash):
        guard file.sounds[hash] == nil, (try? kitStore.soundFile(hash)) == nil else { continue }
        throw .unusable("\(block.name) lacks its sound \(sample)")
      case .pad(let pad, let id):
        // A key plays an instrument of the server, so its sound is not in a kit.
        guard !kitStore.instruments.hasZone(pad, of: id) else { continue }
        var kit = kitStore.kits.first { $0.id == id && kitStore.isThere(id) }
        if let files = file.kits[id] {
          do throws(KitError) { kit = try KitFolder.description(of: files, as: id) } catch {
            throw .unusable("\(block.name): \(error)")
          }
        }
        guard let kit else { throw .unusable("\(block.name) lacks the kit \(id)") }
        guard kit[pad] != nil else { throw .unusable("\(block.name) lacks \(sample): the kit has no such pad") }
      case .patch, .nothing: break
      }
    }
  }

  // MARK: Kits

  package func file(ofKit id: String) throws(Problem) -> [UInt8] {
    do {
      return try KitFile.encoded(try kitStore.kitFiles(id))
    } catch let error as KitError {
      if case .unknownKit = error.reason { throw .notThere("there is no kit \(id): /kits lists them") }
      throw .unusable("\(id) cannot be taken along: \(error.told)")
    } catch {
      throw .unusable("\(id) cannot be taken along: \(error)")
    }
  }

  /// Keeps the kit of a file under `id`. The id has to be free, or has to belong to the same kit
  /// already.
  package func bringKit(_ bytes: [UInt8], as id: String) throws(Problem) {
    _ = try keepNow(try read(kit: bytes, as: id, from: nil), of: id)
  }

  /// Reads a kit's file, and finds out whether the kit may come. Writes nothing.
  /// - Parameter sender: nil where no limit holds.
  package func read(
    kit bytes: [UInt8], as id: String, from sender: String?
  ) throws(Problem) -> Delivery {
    guard KitFolder.isID(id) else {
      throw .unusable("a kit is called by lower-case letters, digits and hyphens, 32 at most")
    }
    let files: [String: [UInt8]]
    do throws(ZipError) {
      files = try KitFile.files(in: bytes, named: id)
    } catch {
      throw .unusable("\(error)")
    }
    do throws(DeliveryProblem) {
      return try Delivery(sounds: [:], kits: [id: files], isKit: true, from: sender, to: kitStore)
    } catch {
      throw Problem(error, of: id)
    }
  }

  // MARK: In the background

  /// Takes in what `read` finds in a file when it is the sender's turn. Its sounds are decoded
  /// between others' work.
  /// - Parameters:
  ///   - name: the name that the file's music gets.
  ///   - call: is called once, on any thread. After a success `KitStore.settle` has to follow.
  ///   - read: gives the delivery, and what the caller wants back with it.
  package func bring<Rest: Sendable>(
    named name: String, from sender: String,
    then call: @escaping @Sendable (Result<(delivered: Delivered, rest: Rest), Problem>) -> Void,
    reading read: @escaping @Sendable () throws(Problem) -> (delivery: Delivery, rest: Rest)
  ) {
    kitStore.bring(
      from: sender, noTurn: Problem.noTurn, failed: { Problem($0, of: name) }, then: call,
      reading: read)
  }

  package init(kitStore: KitStore) {
    self.kitStore = kitStore
  }
}

extension Block {
  /// The samples that the hits name, each once, in the order of the hits.
  fileprivate var samples: [SampleID] {
    var seen: Set<SampleID> = []
    return hits.compactMap { hit in
      guard case .voicing(let voicing) = hit.sound, seen.insert(voicing.sample).inserted else { return nil }
      return voicing.sample
    }
  }

  fileprivate var kits: Set<String> {
    Set(samples.compactMap { if case .pad(_, let kit) = $0 { kit } else { nil } })
  }
}
