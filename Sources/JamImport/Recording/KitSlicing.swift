public import JamCore
public import JamKit

extension KitImporter {
  /// A break on its way over the pads.
  public struct SliceOrder: Sendable {
    /// What the kit and its pads are called.
    public var name: String
    /// So many pieces at most.
    public var pads = Pad.count
    /// How many beats the whole is long; nil guesses, from `name` or the length.
    public var beats: Double?
    /// The kit's `credits`.
    public var credits = ""

    public init(name: String) { self.name = name }
  }

  /// Makes a kit at `target` of the sound file at `path`, as `slice(_:_:from:to:)`.
  /// - Thread: any; decodes and encodes.
  public static func slice(
    _ path: String, _ order: SliceOrder, to target: String, limits: Limits = .standard
  ) throws(KitError) -> Report {
    try KitWriter.check(KitFolder(target))
    guard Files.exists(path) else { throw KitError(path, .noSource) }
    let bytes = try Files.read(path, limit: limits.kitBytes)
    return try slice(Sound(decoding: bytes, named: path, byteLimit: limits.kitBytes), order, from: path, to: target)
  }

  /// The same of a pad's sound: that of its loudest layer.
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

  /// Makes a kit of a break: its hits in order on the pads, each from its first frame to the next one's. Together the pieces are
  /// the whole from its first hit on, to the frame. One piece cuts off the one before.
  private static func slice(
    _ sound: Sound, _ order: SliceOrder, from source: String, to target: String
  ) throws(KitError) -> Report {
    let folder = KitFolder(target)
    let kit = try BreakSlicer(sound: sound, order: order, source: source).kit()
    let finished = try KitFinisher(id: folder.id, kit)
    guard !finished.sources.isEmpty else {
      throw KitError(source, .nothingToImport(.recording, unread: finished.problems))
    }
    try KitWriter.write(finished.description, finished.files, to: target)
    return Report(
      kind: .recording,
      pads: zip(Pad.all, zip(finished.sources, finished.description.pads)).compactMap { pad, made in
        made.1.map { (pad: pad, source: made.0, description: $0) }
      },
      following: [], leftOut: [], problems: finished.problems, notes: kit.notes + finished.notes)
  }
}
