import Glibc
package import JamCore
package import JamRoom
package import JamWire

/// A score that was read into memory: who does what, and when.
package struct ScoreFile {
  /// One message of the score, decoded.
  package struct Step {
    package var frame: Frames
    package var player: PlayerName
    package var action: LogAction
    /// The entry's number when it was played, from the `/seq` in front of it. Nil where the score
    /// has none.
    var number: UInt64?
    /// The original message, for the text of errors.
    package var message: OSCMessage
  }

  /// No jam is longer. A bundle beyond this limit has a timetag of another clock.
  private static let longest = Frames.seconds(24 * 60 * 60)

  /// The player of messages whose address names none. Scores of other programs name nobody.
  private static let nobody = PlayerName("player")!

  package let path: String
  /// The room's name. A score may give it, with the first tempo, as `/room/<name>/tempo` at frame
  /// 0.
  package private(set) var room = PlayerName("score")!
  package private(set) var tempo = Tempo.standard
  /// The version of the engine that played the score. Nil where no server wrote the score.
  package private(set) var engine: Int?
  /// All steps in the order of the file, which is the order in which they were played.
  package private(set) var steps: [Step] = []
  /// All players who hit a pad by hand or through a loop or a lane, in the order of their first
  /// hits.
  package private(set) var players: [PlayerName] = []
  /// The frame of the last bundle.
  package private(set) var end = Frames.zero

  /// The file's end is torn, as after a kill or a loss of power. The steps before it are valid.
  package private(set) var damage: ScoreError?

  /// - Throws: `RenderError` that names the place in the file, or the moment in the score.
  package init(path: String) throws(RenderError) {
    self.path = path
    var reader = CommandReader(isScore: true)
    let (bundles, damage) = try ScoreFile.bundles(path)
    self.damage = damage
    for bundle in bundles {
      guard bundle.frame <= ScoreFile.longest else { throw .tooLong(bundle.frame, in: path) }
      end = max(end, bundle.frame)
      // Messages behind a `/hello` in the same bundle come from the player who said it.
      var sender = ScoreFile.nobody
      var number: UInt64?
      for message in bundle.messages {
        if message.address == "/seq", case .int32(let value)? = message.arguments.first, value > 0 {
          number = UInt64(value)
          continue
        }
        if message.address == ScoreBytes.engineAddress, case .int32(let version)? = message.arguments.first {
          engine = Int(version)
          continue
        }
        do throws(WireError) {
          guard let addressed = try reader.read(message) else { continue }
          try append(addressed, message, from: &sender, at: bundle.frame, number)
          number = nil
        } catch {
          throw .message(message, at: bundle.frame, in: path, "\(error)")
        }
      }
    }
    // The first servers wrote numbers, but no version.
    if engine == nil, steps.contains(where: { $0.number != nil }) { engine = 1 }
    guard !steps.isEmpty else { throw damage.map { .score(path, $0) } ?? .nothing(in: path) }
  }

  private mutating func append(
    _ addressed: AddressedRequest, _ message: OSCMessage, from sender: inout PlayerName, at frame: Frames,
    _ number: UInt64?
  ) throws(WireError) {
    // A tempo without a player at frame 0 is the tempo with which the room begins. No player joins
    // for it.
    if case .command(.set(.tempo, .float(let bpm))) = addressed.request, let room = addressed.room,
      addressed.player == nil, frame == .zero, steps.isEmpty
    {
      self.room = room
      tempo = Tempo(clamping: Double(bpm))
      return
    }
    var player = addressed.player ?? sender
    var actions: [LogAction] = []
    switch addressed.request {
    case .command(let command): actions = [.command(command)]
    case .commands(let commands): actions = commands.map { .command($0) }
    case .session(.hello(let name, _, _, _)):
      if let old = addressed.player, old != name {
        actions = [.rename(name)]
      } else {
        player = name
        sender = name
        actions = [.join]
      }
    case .session(.bye): actions = [.command(.leave)]
    // All other requests concern a connection, and a score has none.
    case .session: break
    }
    let hits = actions.contains { action in
      switch action {
      // Steps and lanes are not hits by hand: their hits appear as `loopHit`.
      case .command(.hit), .command(.loopHit): true
      default: false
      }
    }
    if hits && !players.contains(player) { players.append(player) }
    steps += actions.map { Step(frame: frame, player: player, action: $0, number: number, message: message) }
  }

  private static func bundles(_ path: String) throws(RenderError) -> (bundles: [ScoreBundle], damage: ScoreError?) {
    guard let file = fopen(path, "rb") else { throw .unreadable(path, errno) }
    defer { fclose(file) }
    var reader = ScoreReader()
    var bundles: [ScoreBundle] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    do throws(ScoreError) {
      while true {
        let count = fread(&chunk, 1, chunk.count, file)
        guard count > 0 else { break }
        try reader.receive(chunk[0..<count], into: &bundles)
      }
      try reader.finish()
    } catch {
      guard isTorn(error, file) else { throw .score(path, error) }
      return (bundles, error)
    }
    guard ferror(file) == 0 else { throw .unreadable(path, EISDIR) }
    return (bundles, nil)
  }

  /// Whether only the file's end is damaged: it was cut off, or the rest of the file is zeros,
  /// because it was never written.
  private static func isTorn(_ error: ScoreError, _ file: UnsafeMutablePointer<FILE>) -> Bool {
    switch error {
    case .truncated: return true
    case .badLength(0, let offset):
      guard fseek(file, offset, SEEK_SET) == 0 else { return false }
      var byte = fgetc(file)
      while byte == 0 { byte = fgetc(file) }
      return byte == EOF
    default: return false
    }
  }
}
