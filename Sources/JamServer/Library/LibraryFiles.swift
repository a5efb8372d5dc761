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

    package var text: String {
      switch self {
      case .notThere(let text), .taken(let text), .unusable(let text), .noSpace(let text): text
      case .nothingKept: Refusal.kitsNotKept.words
      }
    }

    /// - Parameter name: stands in front of the error's own words.
    init(_ error: KitError, of name: String? = nil) {
      let text = name.map { "\($0): \(error.told)" } ?? error.told
      switch error.reason {
      case .nowhereToKeep: self = .nothingKept
      default: self = error.isLackOfSpace ? .noSpace(text) : .unusable(text)
      }
    }
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
        case .patch: break
        }
      }
      return try file.encoded()
    } catch let error as KitError {
      throw .unusable("\(block.name) cannot be taken along: \(error.told)")
    } catch {
      throw .unusable("\(block.name) cannot be taken along: \(error)")
    }
  }

  /// Reads a block's file, and keeps its sounds and kits. Nothing is kept where the file contains
  /// no block, or lacks a sound or a kit.
  /// - Parameter name: the block's name on this server.
  package func block(in bytes: [UInt8], named name: String) throws(Problem) -> Block {
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
    var ids: [String: String] = [:]
    do throws(KitError) {
      for case .own(let hash) in block.samples {
        if let sound = file.sounds[hash] { try kitStore.bring(soundFile: sound, as: hash) }
      }
      for (id, files) in file.kits.sorted(by: { $0.key < $1.key }) where block.kits.contains(id) {
        ids[id] = try kitStore.bring(kitFiles: try KitFolder.bundle(of: files, named: id), as: id)
      }
    } catch {
      throw Problem(error, of: name)
    }
    // This server may have a different kit with the same id. Then the file's kit has another id
    // here.
    for index in block.hits.indices {
      guard case .voicing(var voicing) = block.hits[index].sound, case .pad(let pad, let kit) = voicing.sample,
        let here = ids[kit]
      else { continue }
      voicing.sample = .pad(pad, of: here)
      block.hits[index].sound = .voicing(voicing)
    }
    return block
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
      case .patch: break
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
    guard KitFolder.isID(id) else {
      throw .unusable("a kit is called by lower-case letters, digits and hyphens, 32 at most")
    }
    do {
      let files = try KitFolder.bundle(of: try KitFile.files(in: bytes, named: id), named: id)
      guard try kitStore.bring(newKit: files, as: id) else {
        throw Problem.taken("another kit is called \(id): choose another name")
      }
    } catch let error as ZipError {
      throw .unusable("\(error)")
    } catch let error as KitError {
      throw Problem(error)
    } catch let problem as Problem {
      throw problem
    } catch {
      throw .unusable("\(error)")
    }
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
