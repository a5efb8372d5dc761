import Glibc
package import JamCore
package import JamExport
package import JamRoom

/// Writes the parts of a mix as WAV files. All have the same length and the same first frame. A
/// file is created when its part first sounds. Silence before that, and in pauses, takes no room on
/// the disk.
///
/// Thread: any, but one at a time. Blocks on the disk.
package final class StemFiles {
  /// A file that was written.
  package struct Stem: Hashable {
    package let part: StemPart
    /// The name for people: `ann`, or `ann, pad 3 Kick`.
    package let name: String
    package let audio: ExportAudio

    package init(part: StemPart, name: String, audio: ExportAudio) {
      self.part = part
      self.name = name
      self.audio = audio
    }
  }

  private final class Writer {
    private var file: WAVFileWriter?
    private var count = 0

    init(_ path: String, _ format: WAVFormat) throws(ExportError) {
      file = try WAVFileWriter(path: path, format: format)
    }

    /// - Parameter frame: the first frame's place in the stem. The gap behind the last frames
    ///   becomes silence.
    func append(
      _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ frames: Int, at frame: Int
    ) throws(ExportError) {
      if frame > count { try file?.appendSilence(frames: frame - count) }
      try file?.append(left: left, right: right, frames: frames)
      count = max(count, frame) + frames
    }

    func finish(_ frames: Int, _ metadata: WAVMetadata) throws(ExportError) {
      guard var file = file.take() else { return }
      if file.frameCount < frames { try file.appendSilence(frames: frames - file.frameCount) }
      try file.cut(toFrames: frames)
      file.metadata = metadata
      try file.finish()
    }
  }

  let folder: String
  private let format: WAVFormat
  private let first: Int64
  private let last: Int64
  /// The writers, by the number of the part, with the names of their files. Two names have to
  /// differ in more than upper and lower case.
  private var writers: [Int: (writer: Writer, file: String)] = [:]
  private var names: Set<String> = []
  private var failure: ExportError?
  /// The engine's next frame.
  private var at: Int64 = 0

  /// - Parameters:
  ///   - folder: an existing folder.
  ///   - first: the first frame of the stretch; `last` is the frame behind it.
  package init(in folder: String, _ format: WAVFormat, from first: Int64 = 0, until last: Int64 = .max) {
    self.folder = folder
    self.format = format
    self.first = first
    self.last = last
  }

  /// Takes the stems of the buffer that was just rendered. Call this after each buffer.
  /// - Throws: the first error that occurred.
  package func take(from room: OfflineRoom) throws(ExportError) {
    let count = Int64(room.stemFrames)
    let (from, to) = (max(at, first) - at, min(at + count, last) - at)
    let place = Int(max(at, first) - first)
    at += count
    room.takeStems { number, left, right in
      guard failure == nil, from < to else { return }
      do throws(ExportError) {
        try writer(of: number, room).append(left + Int(from), right + Int(from), Int(to - from), at: place)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private func writer(of number: Int, _ room: OfflineRoom) throws(ExportError) -> Writer {
    if let (writer, _) = writers[number] { return writer }
    let part = room.stemPart(number)
    let writer = try begin(StemFiles.name(of: part, part.player.flatMap { room.pads(of: $0) }))
    writers[number] = writer
    return writer.writer
  }

  private func begin(_ name: String) throws(ExportError) -> (writer: Writer, file: String) {
    let file = unused(FileName.portable(name))
    return (try Writer("\(folder)/\(file).wav", format), file)
  }

  private func unused(_ name: String) -> String {
    var (unused, number) = (name, 1)
    while !names.insert(unused.lowercased()).inserted {
      number += 1
      unused = "\(name) \(number)"
    }
    return unused
  }

  /// Ends all files at the same length.
  /// - Parameters:
  ///   - players: where the mix is divided by player, each of these gets a file, even a silent one.
  ///   - path: the folder's path inside the export.
  package func finish(
    _ room: OfflineRoom, _ plan: StemPlan, players: [PlayerName], frames: Int, path: String,
    metadata: (String) -> WAVMetadata
  ) throws(ExportError) -> [Stem] {
    var all = writers.sorted { $0.key < $1.key }.map { (part: room.stemPart($0.key), $0.value.writer, $0.value.file) }
    if plan.division == .player {
      for player in players where !all.contains(where: { $0.part.player == player }) {
        let (writer, file) = try begin(FileName.portable(player.text))
        all.append((StemPart(player: player), writer, file))
      }
    }
    var stems: [Stem] = []
    for (part, writer, file) in all {
      let name = StemFiles.name(of: part, part.player.flatMap { room.pads(of: $0) })
      try writer.finish(frames, metadata(name))
      let audio = ExportAudio(path: path.isEmpty ? "\(file).wav" : "\(path)/\(file).wav", frames: frames)
      stems.append(Stem(part: part, name: name, audio: audio))
    }
    return stems
  }

  // MARK: Names

  static func name(of part: StemPart, _ pads: [KitPad?]?) -> String {
    let player = part.player?.text ?? ""
    switch part.kind {
    case .all: return player
    case .keys: return "\(player), keys"
    case .pad(let pad):
      let name = pads?[pad.index]?.name ?? ""
      return name.isEmpty ? "\(player), pad \(pad.number)" : "\(player), pad \(pad.number) \(name)"
    case .live: return "\(player), by hand"
    case .repeated: return "\(player), loops"
    case .blocks: return "\(player), blocks"
    case .layer(let number): return "\(player), layer \(number)"
    case .delay: return "Delay"
    case .reverb: return "Reverb"
    case .inserts: return "Inserts"
    }
  }
}
