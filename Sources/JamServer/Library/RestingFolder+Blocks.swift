package import JamCore
import JamKit
import JamRoom

extension RestingFolder {
  /// A block's file, with the block's name.
  /// - Parameter id: `room/owner/name`, or a ready-made block's name.
  package func blockFile(named id: String) throws(LibraryFiles.Problem) -> (name: String, bytes: [UInt8]) {
    let block: Block?
    if let id = BlockID(id) {
      let folder = BlockFolder(in: DataFolder.blocks(in: folder.path), room: id.room.text)
      block = try? folder.block(named: id.name, of: id.owner)
    } else {
      block = ReadyMadeBlocks.all.first { $0.name == id }
    }
    guard let block else { throw .notThere("there is no block \(id): `bandshell blocks list` shows them") }
    return (block.name, try libraryFiles.file(of: block))
  }

  /// Keeps the block of a file, with its sounds and kits.
  /// - Parameter owner: nil makes it everybody's, by the name that the file has.
  package func keepBlock(
    _ bytes: [UInt8], named name: String, of owner: PlayerName?, in room: PlayerName
  ) throws(LibraryFiles.Problem) -> BlockID {
    let blocks = BlockFolder(in: DataFolder.blocks(in: folder.path), room: room.text)
    var block = try libraryFiles.block(in: bytes, named: name)
    block.isShared = owner == nil
    let owner = owner ?? block.owner ?? RoomState.nobodyKnown
    block.owner = owner
    guard (try? blocks.block(named: name, of: owner)) == nil else {
      throw .taken("\(owner.text) has a block \(name) in \(room) already: choose another --name")
    }
    guard blocks.read().blocks.count < Limits.standard.blocksPerRoom else {
      throw .unusable("\(room) has \(Limits.standard.blocksPerRoom) blocks already")
    }
    do throws(KitError) { try blocks.keep(block) } catch { throw .noSpace("\(error)") }
    return BlockID(room: room, owner: owner, name: name)
  }
}
