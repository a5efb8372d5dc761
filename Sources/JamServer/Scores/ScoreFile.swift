import Glibc
package import JamCore
package import JamRoom
package import JamWire

/// A SCORE read into memory: who does what when.
package struct ScoreFile {
  /// One message of the score, understood.
  package struct Step {
    package var frame: Frames
    package var player: PlayerName
    package var action: LogAction
    /// What `/seq` said in front of it: the number that it had when it was played.
    var number: UInt64?
    /// For an error's text.
    package var message: OSCMessage
  }

  /// No jam is longer; a bundle beyond has its timetag in another clock.
  private static let longest = Frames.seconds(24 * 60 * 60)

  /// Who plays where an address does not say: other programs' scores name nobody.
  private static let nobody = PlayerName("player")!

  package let path: String
  /// What the room is called and begins with: a score's first message may say so, as `/room/<name>/tempo` at 0.
  package private(set) var room = PlayerName("score")!
  package private(set) var tempo = Tempo.standard
  /// The version of the engine that played it, as the score says; nil where no server wrote it.
  package private(set) var engine: Int?
  /// In the order of the file, which is the order in which they were played.
  package private(set) var steps: [Step] = []
  /// Everybody who hits a pad, or whose loop or lane does, in the order in which they first do.
  package private(set) var players: [PlayerName] = []
  /// The frame of the last bundle.
  package private(set) var end = Frames.zero

  /// Its end was torn, as by a kill or a loss of power: what stands before holds.
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
      // Whoever says hello in a bundle sends what comes after it there.
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
    // Servers wrote no version at first, but numbers.
    if engine == nil, steps.contains(where: { $0.number != nil }) { engine = 1 }
    guard !steps.isEmpty else { throw damage.map { .score(path, $0) } ?? .nothing(in: path) }
  }

  private mutating func append(
    _ addressed: AddressedRequest, _ message: OSCMessage, from sender: inout PlayerName, at frame: Frames,
    _ number: UInt64?
  ) throws(WireError) {
    // Nobody's own tempo at the very start is what the room begins with: no player joins for it.
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
    // The rest concerns a connection, and a score has none.
    case .session: break
    }
    let hits = actions.contains { action in
      switch action {
      // Who plays by steps or lanes alone hits nothing by hand.
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

  /// Whether it is the end alone that is at fault: it was cut, or the rest of the file is zeros that nothing was written over.
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
