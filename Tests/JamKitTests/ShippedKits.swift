import JamCore
import Testing

@testable import JamKit

/// The kits in the package's own `Kits` folder.
enum ShippedKits {
  static let path: String = {
    var parts = #filePath.split(separator: "/").dropLast(3).map(String.init)
    parts.append("Kits")
    return "/" + parts.joined(separator: "/")
  }()

  /// One pad's sound, measured.
  struct Pad: CustomTestStringConvertible {
    let kit: String
    let file: String
    let description: PadDescription
    let portrait: SoundPortrait

    var testDescription: String { "\(kit)/\(file)" }
  }

  /// Every pad of every kit; measured once, because that takes seconds.
  static let pads: [Pad] = folders.flatMap { folder in
    folder.readDescription().pads.compactMap { entry in
      guard let entry, let file = entry.layers.last?.files.first else { return nil }
      let path = Files.joined(folder.path, file)
      guard let bytes = try? Files.read(path, limit: 1 << 20),
        let sound = try? Sound(decoding: bytes, named: path, byteLimit: 64 << 20), sound.rate == 48_000
      else { return nil }
      return Pad(kit: folder.id, file: file, description: entry, portrait: SoundPortrait(sound))
    }
  }

  static let folders: [KitFolder] = (try? KitFolder.folders(in: path)) ?? []
}
