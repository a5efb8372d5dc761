import Glibc
package import JamCore
import JamKit
import JamRoom
package import JamStore
import JamNet

/// Files of takes. Each is made when somebody asks for it, and kept until the take changes.
extension ServerTakes {
  /// The order to make a file of a take.
  /// - Thread: any that may wait.
  /// - Throws: `Refusal` where the take does not have the bars that `kind` asks for.
  package func order(_ take: Catalogue.Take, _ kind: ExportKind) throws(Refusal) -> ServerExports.Order {
    makeRoom()
    let stretch: TakeStretch
    do throws(Refusal) { stretch = try TakeStretch(take, bars: kind.bars) } catch { throw error }
    let base = base(of: take, stretch)
    let began = take.began * Int64(Frames.perSecond) + stretch.first - take.first
    let mark = kind.holdsTitle ? ServerTakes.mark(take.name) : ""
    let path = kind.form == .score ? score(take.recording) : "\(base).\(mark)\(kind.fileName)"
    let title = take.name.isEmpty ? take.id : take.name
    return ServerExports.Order(
      address: "takes/\(take.id).\(kind.text)", path: path, room: take.room,
      name: "\(FileName.portable(title)).\(kind.form.rawValue)",
      job: ExportJob(
        source: .score(score(take.recording), first: stretch.first, length: stretch.length), title: title,
        about: "\(take.room): \(title)", began: began / Int64(Frames.perSecond),
        beganFrames: began % Int64(Frames.perSecond), outputs: [ExportMaker.Output(kind: kind, path: path)],
        facts: "\(base).facts"))
  }

  package func order(of id: String, _ kind: ExportKind, in room: PlayerName) throws(Refusal) -> ServerExports.Order {
    let take = try take(id, in: room)
    guard take.length != nil else { throw .takeNotOver(id) }
    return try order(take, kind)
  }

  /// - Parameter file: the name of the file and its options, as `stems.zip?by=pad`.
  package func order(of id: String, file: String, in room: PlayerName) throws(Refusal) -> ServerExports.Order {
    try order(of: id, ServerTakes.kind(file), in: room)
  }

  private static func kind(_ file: String) throws(Refusal) -> ExportKind {
    do throws(ExportKind.Problem) { return try ExportKind(parsing: file) } catch { throw error.refusal }
  }

  /// The order to make a file of a project's loops. Thread: any that may wait.
  package func order(
    ofProject name: String, _ kind: ExportKind, in room: PlayerName
  ) throws(Refusal) -> ServerExports.Order {
    guard kind.form != .score else { throw .loopsHaveNoScore }
    makeRoom()
    let found: Catalogue.Content
    do {
      found = try catalogue.content(of: name, version: nil) ?? { throw Refusal.noSuchProject(name) }()
    } catch Catalogue.Problem.noSuchProject {
      throw .noSuchProject(name)
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw .projectUnreadable(name, reason: "the server's disk gives nothing just now")
    }
    // The file's name has the checksum of the music in it, so changed music becomes another file.
    // `sweepProjects` deletes the files of the old music.
    let base = "\(made)/\(ServerTakes.projectPrefix)\(found.bytes.count)-\(CRC32.of(found.bytes))"
    var bars = kind
    bars.bars = nil
    let count = kind.bars?.upperBound
    let mark = kind.holdsTitle ? ServerTakes.mark(found.name) : ""
    let path = "\(base).\(count.map { "\($0)" } ?? "all").\(mark)\(bars.fileName)"
    let scratch = "\(base)-\(freeNumber()).scratch"
    do throws(KitError) { try Files.write(found.bytes, to: scratch) } catch {
      throw ServerTakes.notWritten
    }
    return ServerExports.Order(
      address: "projects/\(PercentEncoding.encoded(found.name))/loops.\(kind.text)", path: path, room: room.text,
      name: "\(FileName.portable(found.name)).\(kind.form.rawValue)",
      job: ExportJob(
        source: .project(scratch, bars: count), title: found.name, about: found.name, began: ServerTakes.now,
        outputs: [ExportMaker.Output(kind: kind, path: path)]),
      scratch: scratch)
  }

  package func order(ofProject name: String, file: String, in room: PlayerName) throws(Refusal) -> ServerExports.Order {
    try order(ofProject: name, ServerTakes.kind(file), in: room)
  }

  static let projectPrefix = "project-"

  /// A part of a file's name that stands for a title. The title is written inside the file, so the
  /// same music under another title needs another file.
  private static func mark(_ name: String) -> String {
    guard !name.isEmpty else { return "" }
    let bytes = Array(name.utf8)
    return "name-\(bytes.count)-\(CRC32.of(bytes))."
  }

  /// The beginning of the paths of all files of a take. The bars are part of it, so other bars get
  /// other files.
  private func base(of take: Catalogue.Take, _ stretch: TakeStretch) -> String {
    "\(made)/\(take.id).\(stretch.bars.map { "\($0.lowerBound)-\($0.upperBound)" } ?? "all")"
  }

  /// The facts of the part of a take that is heard, as an earlier export wrote them; nil where no
  /// export has.
  func facts(of take: Catalogue.Take) -> ExportFacts? {
    let path = base(of: take, TakeStretch(take)) + ".facts"
    guard let bytes = try? Files.read(path, limit: 1 << 30) else { return nil }
    return ExportFacts(String(decoding: bytes, as: UTF8.self))
  }

  /// The notes that were hit in the part of a take that is heard. Thread: any that may wait.
  func notes(of take: Catalogue.Take) throws(ExportProblem) -> TakeNotes {
    if let facts = facts(of: take) { return TakeNotes(take: take.id, notes: facts.notes) }
    let stretch = TakeStretch(take)
    let replay = TakeReplay(
      score: score(take.recording), first: stretch.first, length: stretch.length, kitStore: kitStore,
      firstKit: firstKit)
    return TakeNotes(take: take.id, notes: try replay.play(title: take.id, isCancelled: { isOver }) { _ in }.notes)
  }
}
