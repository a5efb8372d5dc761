import JamCore
package import JamKit

extension KitImporter {
  /// Cuts a sound file, or the sound of a kit's pad, into the pieces of a new kit.
  /// - Parameters:
  ///   - source: the path of a file, or a pad as `breaks:2`.
  ///   - kitFolders: where to look for the kit of such a pad.
  ///   - pads: how many pieces at most, 2…16.
  ///   - beats: how long the whole is; nil where the pad, the name or the length tells.
  ///   - output: the path of the new kit's folder.
  package static func slice(
    _ source: String, kitFolders: [String], pads: Int, beats: Double?, to output: String
  ) throws(KitError) -> Report {
    let file = String(source.split(separator: "/").last ?? "")
    var order = SliceOrder(name: Files.exists(source) ? PadName.stem(of: file) : source)
    order.pads = pads
    order.beats = beats
    guard !Files.exists(source), let (id, number) = pad(named: source) else {
      return try slice(source, order, to: output)
    }
    guard let pad = Pad(number) else { throw KitError(source, .noPadToSlice(number)) }
    guard let folder = KitCatalogue(scanning: kitFolders).folder(of: id) else {
      throw KitError(source, .noKitToSlice(id))
    }
    let kit = try folder.load()
    guard let described = kit.kit[pad] else { throw KitError(source, .emptyPadToSlice(Int(pad.number))) }
    order.name = described.name
    order.credits = folder.readDescription().credits
    if beats == nil, described.settings.beats > 0 { order.beats = Double(described.settings.beats) }
    return try slice(pad, of: kit, order, to: output)
  }

  /// The kit and the pad's number, where the source has the form `kit:pad`.
  private static func pad(named source: String) -> (kit: String, pad: Int)? {
    let parts = source.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, KitFolder.isID(String(parts[0])), let number = Int(parts[1]) else { return nil }
    return (String(parts[0]), number)
  }
}
