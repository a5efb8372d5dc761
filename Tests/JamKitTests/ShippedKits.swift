import JamCore
import KitTestSupport
import Testing

@testable import JamKit

/// The kits in the package's own `Kits` folder.
enum ShippedKits {
  static let path = kitsFolder

  /// One pad's sound, measured.
  struct Pad: CustomTestStringConvertible {
    let kit: String
    let file: String
    let description: PadDescription
    let portrait: SoundPortrait
    /// Of the file as it is played, with its layer's gain and without its pad's, in LUFS.
    let loudness: Double

    var testDescription: String { "\(kit)/\(file)" }
  }

  /// Every pad of every kit by its first and loudest sound; measured once, because that takes seconds.
  static let pads: [Pad] = folders.flatMap { folder in
    folder.readDescription().pads.compactMap { entry in
      entry.flatMap { entry in entry.layers.last.flatMap { layer in pad(folder, layer.files.first ?? "", layer, entry) }
      }
    }
  }

  /// The sounds of every pad that has several: those of each layer, the softest first.
  static let layered: [[[Pad]]] = folders.flatMap { folder in
    folder.readDescription().pads.compactMap { entry in
      guard let entry, entry.layers.flatMap(\.files).count > 1 else { return nil }
      return entry.layers.map { layer in layer.files.compactMap { pad(folder, $0, layer, entry) } }
    }
  }

  private static func pad(
    _ folder: KitFolder, _ file: String, _ layer: LayerDescription, _ entry: PadDescription
  ) -> Pad? {
    let path = Files.joined(folder.path, file)
    guard let bytes = try? Files.read(path, limit: 1 << 20),
      let sound = try? Sound(decoding: bytes, named: path, byteLimit: 64 << 20), sound.rate == 48_000
    else { return nil }
    return Pad(
      kit: folder.id, file: file, description: entry, portrait: SoundPortrait(sound),
      loudness: (Loudness.momentaryMaximum(of: sound) ?? -.infinity) + Double(layer.gain))
  }

  static let folders: [KitFolder] = (try? KitFolder.folders(in: path)) ?? []
}
