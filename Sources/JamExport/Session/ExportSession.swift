/// A part of a jam, as the writers of this module need it: plain values, with no type of the
/// server.
///
/// Frame 0 is the beginning of the part, 48,000 frames are a second, and a beat is a quarter note
/// whatever the signature is.
public struct ExportSession: Hashable, Sendable {
  /// Frames in a second, here and in every file that this module writes.
  public static let framesPerSecond = 48_000

  public var name: String
  /// The length. Everything behind it is left out of the files.
  public var frames: Int
  public var start: StartTime
  public var software: ExportSoftware
  /// The first holds from frame 0; empty is 120 beats per minute from beat 0.
  public var tempo: [TempoStretch]
  /// Empty is 4/4 with a bar line at frame 0.
  public var signatures: [SignatureChange]
  public var markers: [ExportMarker]
  /// In the order of their frames. Empty is a session without a key.
  public var keys: [ExportKey]
  public var tracks: [ExportTrack]

  public init(
    name: String, frames: Int, start: StartTime = StartTime(), software: ExportSoftware = ExportSoftware(),
    tempo: [TempoStretch] = [], signatures: [SignatureChange] = [], markers: [ExportMarker] = [],
    keys: [ExportKey] = [], tracks: [ExportTrack] = []
  ) {
    self.name = name
    self.frames = frames
    self.start = start
    self.software = software
    self.tempo = tempo
    self.signatures = signatures
    self.markers = markers
    self.keys = keys
    self.tracks = tracks
  }

  /// The keys within the session that differ from the one before, each with its tick. Of several
  /// at one tick the last counts: root and scale are chosen one after the other.
  /// - Parameter tick: the tick of a frame; it does not fall where frames grow.
  func orderedKeys(at tick: (Int) -> Int) -> [(tick: Int, key: ExportKey)] {
    var list: [(tick: Int, key: ExportKey)] = []
    for key in keys where key.frame >= 0 && key.frame < frames {
      let tick = tick(key.frame)
      if list.last?.tick == tick { list.removeLast() }
      let last = list.last?.key
      if let last, last.sharps == key.sharps, last.isMinor == key.isMinor { continue }
      list.append((tick, key))
    }
    return list
  }

  /// The markers within the session, by time.
  var orderedMarkers: [ExportMarker] {
    let inside = markers.enumerated().filter { $0.element.frame >= 0 && $0.element.frame <= frames }
    return inside.sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }.map(\.element)
  }
}
