internal import ArgumentParser
internal import Glibc
internal import JamCommand

/// `bandshell-bench bench`, and `bandshell-bench` without a command: measures how much this machine
/// can carry.
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measure what this machine can carry.",
    discussion: BenchCommand.list)

  static let list = """
    Benches:
      voices     voices that a core renders in real time
      notes      notes of synthesisers that a core renders in real time
      effects    what the effects of sixteen players cost
      mixes      what listeners with a mix of their own cost
      latency    from a hit's datagram to the RTP packet with its onset, and how evenly
      osc        hits a second from socket to engine, and what one costs
      siege      a player's hits while others send garbage, settings, joins and unknown addresses
      listeners  RTP, Ogg and WebRTC listeners that a core serves
      kits       reading kits, what they take, sounds of one's own, and changing kits while a room plays
      page       the page in Chromium: until it is there, from tap to sound, frames, memory
      rooms      idle, full and busy rooms on a core, dense live rooms, undo, and an hour of loops
      keeping    the journal of a full room, an hour rendered with its stems, a start with 1,000 takes
      memory     time to ready, resident memory, growth over an hour of jamming
      sound      what a mastering engineer would measure: levels, limiter, transposition, stretching, fades, Opus

    Without a name all of them run, which takes some minutes; the machine should be idle. The bench of sound
    measures no time, so it does not mind a busy one.

    `--record` keeps the figures: docs/bench/README.md says how the tables of the documents are made of them.
    """

  enum Bench: String, CaseIterable, ExpressibleByArgument {
    case voices, notes, effects, mixes, latency, osc, siege, listeners, kits, page, rooms, keeping
    case memory, sound
  }

  @Argument(help: ArgumentHelp("Which benches to run.", valueName: "bench"))
  var benches: [Bench] = []

  @Flag(help: "One JSON object per bench and line.")
  var json = false

  @Flag(help: "With voices and notes: the same work by Debian's supercollider-server, and the ratio.")
  var againstScsynth = false

  @Option(
    help: ArgumentHelp(
      "With sound: spectrograms of transposed and of stretched sounds, as PNG files into this folder.", valueName: "dir"
    ))
  var pictures: String?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("With sound and rooms: only these parts.", valueName: "part"))
  var part: [BenchPart] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "With rooms: the layers of each player at which live rooms are measured.", valueName: "n"))
  var layers: [Int] = []

  @Option(help: ArgumentHelp("With rooms: how long each live room is measured.", valueName: "n"))
  var seconds = 8.0

  @Flag(help: "Write each bench's figures into a new file of docs/bench/records.")
  var record = false

  @Option(help: ArgumentHelp("Write them into a folder elsewhere.", valueName: "dir"))
  var recordInto: String?

  func run() throws {
    // This comes before any measuring. A missing folder is reported at once, and the record names
    // the commit that was built, even if somebody commits meanwhile.
    let folder: BenchRecordFolder?
    do { folder = try recordFolder() } catch {
      Console.error("\(error)")
      throw ExitCode.unavailable
    }
    let source = folder == nil ? nil : BenchSource(of: ".")
    if case .unknown(let reason) = source { Console.warning("the records name no commit: \(reason)") }
    var hasFailed = false
    for bench in benches.isEmpty ? Bench.allCases : benches {
      Console.line("bench \(bench.rawValue) …")
      let (load, began) = (Machine.load, time(nil))
      do {
        let report = try measure(bench)
        Console.say(json ? report.json : report.table + "\n")
        guard let folder, let source else { continue }
        let record = BenchRecord(
          report: report, options: options(of: bench), secondsSince1970: began, source: source, load: load,
          cores: Machine.cores)
        Console.line("recorded in \(try folder.write(record))")
      } catch {
        // The other benches still run.
        Console.error("bench \(bench.rawValue): \(error)")
        hasFailed = true
      }
    }
    if hasFailed { throw ExitCode.unavailable }
  }

  /// The folder for records; nil where none are wanted.
  private func recordFolder() throws(BenchRecordFolder.Failure) -> BenchRecordFolder? {
    guard record || recordInto != nil else { return nil }
    #if DEBUG
      throw .notRelease
    #else
      return try BenchRecordFolder(recordInto ?? BenchRecordFolder.standard)
    #endif
  }

  /// The options that decide which rows a bench has.
  private func options(of bench: Bench) -> [String] {
    switch bench {
    case .voices, .notes: againstScsynth ? ["--against-scsynth"] : []
    case .rooms:
      parts(RoomsPart.self) + (layers.isEmpty ? [] : ["--layers"] + layers.map { String($0) })
    case .sound: parts(SoundPart.self)
    default: []
    }
  }

  /// The option that names the parts of one bench; empty where all of them are measured.
  private func parts<Part: RawRepresentable>(_: Part.Type) -> [String]
  where Part.RawValue == String {
    let words = part.map(\.word).filter { Part(rawValue: $0) != nil }
    return words.isEmpty ? [] : ["--part"] + words
  }

  /// The chosen parts of one bench; all of its parts where none is chosen.
  private func chosen<Part: RawRepresentable & CaseIterable & Hashable>(_: Part.Type) -> Set<Part>
  where Part.RawValue == String {
    let parts = Set(part.compactMap { Part(rawValue: $0.word) })
    return parts.isEmpty ? Set(Part.allCases) : parts
  }

  func validate() throws {
    guard layers.allSatisfy({ (1...64).contains($0) }) else {
      throw ValidationError("a loop has 1 to 64 layers")
    }
    guard (1...3_600).contains(seconds) else {
      throw ValidationError("a live room is measured for 1 to 3600 s")
    }
  }

  private func measure(_ bench: Bench) throws -> BenchReport {
    switch bench {
    case .voices: VoicesBench().run(againstScsynth: againstScsynth)
    case .notes: NotesBench().run(againstScsynth: againstScsynth)
    case .effects: EffectsBench().run()
    case .mixes: try MixesBench().run()
    case .latency: try LatencyBench().run()
    case .osc: try OSCBench().run()
    case .siege: try SiegeBench().run()
    case .listeners: ListenersBench().run()
    case .kits: try KitsBench().run()
    case .page: try PageBench().run()
    case .rooms:
      try RoomsBench(
        parts: chosen(RoomsPart.self), dense: DenseRooms(seconds: seconds, layers: layers)
      ).run()
    case .keeping: try KeepingBench().run()
    case .memory: try MemoryBench().run()
    case .sound: try SoundBench(pictures: pictures, parts: chosen(SoundPart.self)).run()
    }
  }
}
