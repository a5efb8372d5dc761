/// Compares the size that a sound file's header gives its sound with the file's own size. Only
/// containers count whose length libsndfile corrects silently.
///
/// Nothing is decoded. Any other file has no shortfall.
/// Thread: any.
struct SoundContainer {
  /// The bytes that the header claims, and the bytes that the file has.
  struct Shortfall: Hashable {
    var claimedBytes: Int
    var foundBytes: Int
  }

  /// nil where the file holds all that its header claims, or where the header leaves the length
  /// open.
  let shortfall: Shortfall?

  /// A writer that cannot seek back leaves 0, all ones, or the largest size that it knows; no kit holds that much.
  static let open = 0x7f00_0000

  init(_ bytes: [UInt8]) {
    let found = Header(bytes: bytes).sound
    guard let (start, claimed) = found, claimed > 0, claimed < SoundContainer.open, start <= bytes.count,
      claimed > bytes.count - start
    else {
      shortfall = nil
      return
    }
    shortfall = Shortfall(claimedBytes: claimed, foundBytes: bytes.count - start)
  }
}

/// A container's fields.
private struct Header {
  /// The offset of the sound, and the number of bytes that it should have.
  typealias Found = (start: Int, claimed: Int)

  /// How a container lays out its chunks.
  struct Shape {
    /// The size of a name: four letters, and in Wave64 twelve bytes more.
    var nameBytes = 4
    var sizeBytes = 4
    var isBigEndian = false
    /// Whether a chunk's size counts its own name and size.
    var countsHeader = false
    var alignment = 2
    var soundName = "data"
  }

  let bytes: [UInt8]

  var sound: Found? {
    switch name(at: 0) {
    case "RIFF" where name(at: 8) == "WAVE": return chunk(from: 12, Shape())
    case "RIFX" where name(at: 8) == "WAVE": return chunk(from: 12, Shape(isBigEndian: true))
    case "RF64" where name(at: 8) == "WAVE": return longWave
    case "riff" where name(at: 24) == "wave":
      return chunk(from: 40, Shape(nameBytes: 16, sizeBytes: 8, countsHeader: true, alignment: 8))
    case "FORM" where name(at: 8) == "AIFF" || name(at: 8) == "AIFC":
      return chunk(from: 12, Shape(isBigEndian: true, soundName: "SSND"))
    case ".snd": return sun(isBigEndian: true)
    case "dns.": return sun(isBigEndian: false)
    case "caff": return chunk(from: 8, Shape(sizeBytes: 8, isBigEndian: true, alignment: 1))
    default: return nil
    }
  }

  /// - Source: EBU Tech 3306: where the chunk's size is all ones, `ds64` holds the size, behind the
  ///   size of the file.
  private var longWave: Found? {
    guard let (start, claimed) = chunk(from: 12, Shape()) else { return nil }
    guard claimed == 0xffff_ffff, let (sizes, length) = chunk(from: 12, Shape(soundName: "ds64")), length >= 16,
      let size = number(at: sizes + 8, bytes: 8, isBigEndian: false)
    else { return (start, claimed) }
    return (start, size)
  }

  /// - Source: the `.snd` header of Sun and NeXT: the offset of the sound, then its size.
  private func sun(isBigEndian: Bool) -> Found? {
    guard let start = number(at: 4, bytes: 4, isBigEndian: isBigEndian),
      let claimed = number(at: 8, bytes: 4, isBigEndian: isBigEndian)
    else { return nil }
    return (start, claimed)
  }

  /// The chunk that holds the sound. The chunk must begin inside the file.
  private func chunk(from first: Int, _ shape: Shape) -> Found? {
    var position = first
    let header = shape.nameBytes + shape.sizeBytes
    while let name = name(at: position),
      let size = number(at: position + shape.nameBytes, bytes: shape.sizeBytes, isBigEndian: shape.isBigEndian)
    {
      let start = position + header
      let length = shape.countsHeader ? size - header : size
      if name == shape.soundName { return (start, length) }
      guard length >= 0, length <= bytes.count - start else { return nil }
      position = (start + length + shape.alignment - 1) / shape.alignment * shape.alignment
    }
    return nil
  }

  private func name(at position: Int) -> String? { bytes.letters(at: position) }

  private func number(at position: Int, bytes count: Int, isBigEndian: Bool) -> Int? {
    bytes.number(at: position, bytes: count, isBigEndian: isBigEndian)
  }
}
