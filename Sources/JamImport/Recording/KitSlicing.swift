public import JamCore
public import JamKit

extension KitImporter {
  /// The settings for cutting a break onto pads.
  public struct SliceOrder: Sendable {
    /// The name of the kit and its pads.
    public var name: String
    /// The most pieces.
    public var pads = Pad.count
    /// The length of the whole in beats; nil guesses it, from `name`, the hits or the length.
    public var beats: Double?
    /// The kit's `credits`.
    public var credits = ""
    /// Whether all pieces are turned up or down alike where the kit's demo beat is not as loud as
    /// other kits'.
    public var levels = true

    public init(name: String) { self.name = name }
  }

  /// Makes a kit at `target` of the sound file at `path`, as `slice(_:_:from:to:)` does.
  /// - Thread: any; decodes and encodes.
  public static func slice(
    _ path: String, _ order: SliceOrder, to target: String, limits: Limits = .standard
  ) throws(KitError) -> Report {
    try KitWriter.check(KitFolder(target))
    guard Files.exists(path) else { throw KitError(path, .noSource) }
    let bytes = try Files.read(path, limit: limits.kitBytes)
    return try slice(Sound(decoding: bytes, named: path, byteLimit: limits.kitBytes), order, from: path, to: target)
  }

  /// The same for a pad's sound: the sound of its loudest layer.
  /// - Thread: any; encodes.
  public static func slice(
    _ pad: Pad, of kit: LoadedKit, _ order: SliceOrder, to target: String
  ) throws(KitError) -> Report {
    try KitWriter.check(KitFolder(target))
    guard let memory = kit.memory(pad) else {
      throw KitError("\(kit.kit.id):\(pad.number)", .nothingToImport(.recording, unread: []))
    }
    return try slice(Sound(memory), order, from: "\(kit.kit.id):\(pad.number)", to: target)
  }

  /// Makes a kit of a break: its hits in order on the pads, each from its first frame to the first
  /// frame of the next. Together the pieces are the whole break from its first hit on, to the
  /// frame. Each piece cuts off the one before.
  private static func slice(
    _ sound: Sound, _ order: SliceOrder, from source: String, to target: String
  ) throws(KitError) -> Report {
    let folder = KitFolder(target)
    let kit = try BreakSlicer(sound: sound, order: order, source: source).kit()
    var finished = try KitFinisher(id: folder.id, kit)
    guard !finished.sources.isEmpty else {
      throw KitError(source, .nothingToImport(.recording, unread: finished.problems))
    }
    try finished.write(to: target, levels: order.levels, limits: .standard)
    return Report(
      kind: .recording,
      pads: zip(Pad.all, zip(finished.sources, finished.description.pads)).compactMap { pad, made in
        made.1.map { (pad: pad, source: made.0, description: $0) }
      },
      following: [], leftOut: [], problems: finished.problems, notes: kit.notes + finished.notes)
  }
}
