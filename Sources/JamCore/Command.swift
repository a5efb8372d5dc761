/// What a player may ask of a room. Every edge turns bytes into these; nothing behind an edge knows what OSC is.
public enum Command: Hashable, Sendable {
  // Pads.
  case hit(Pad, Velocity)
  case release(Pad)
  /// Withdraws the pad's hits that have not sounded yet.
  case cancel(Pad)
  /// The kit's own settings again.
  case resetPad(Pad)
  /// Hear the pad, or any sound by its id, on the player's own cue alone.
  case preview(Pad)
  case previewSample(String)
  // Kits.
  case chooseKit(KitChoice)
  case listKits
  /// Of one category; empty is all.
  case listSamples(String)
  /// The sound so many further among those of the pad's category: 1 is the next, −1 the previous.
  case browseSample(Pad, Int)
  /// Keeps the player's pads as a kit of that name.
  case saveKit(String)
  // Sounds of one's own.
  /// From the server's input to the pad, until `stopRecording`.
  case record(Pad)
  case stopRecording
  /// The last bars to the pad: of the room's mix, or of one player.
  case grab(Pad, bars: Int, player: PlayerName?)
  // Clock.
  case tapTempo
  /// An outside clock's message.
  case midiClock(MIDIClock)
  /// Milliseconds, positive is earlier; −1,000…1,000.
  case nudge(Float)
  case play, stop
  // Loops.
  case loop(LoopAction)
  case deleteLayer(Int)
  /// In a score: a hit that was played under that number sounds again, on a layer, at its gain in dB, let go of after so many frames; 0 is never.
  case loopHit(layer: Int, hit: UInt32, hold: Int32, gain: Float)
  /// In a score: the player left, and its loop plays on.
  case leaveLoop
  case undo, redo
  /// A host takes back, or does again, an edit of what is the whole room's.
  case roomUndo, roomRedo
  /// From the next bar line to `bpm`, 20…300; nil is a quarter faster.
  case buildUp(bpm: Float?, bars: Int, TempoCurve)
  /// The build-up's end, on the next bar line or now.
  case drop, cancelBuildUp
  /// What a build-up did to the mix, as a score holds it: its riser on the way to 0…1 over so many frames, and the silence.
  case rise(Float, frames: Int)
  case hush(Bool)
  // Any setting.
  case set(Setting, SettingValue)
  /// A switch without a value.
  case toggle(Setting)
  case read(Setting)
  case readAll
  // People.
  case chat(String)
  /// All of the player's voices and holds end now.
  case panic
  case panicEverybody
  case becomeHost(String)
  case leave
  /// A host puts a player out.
  case kick(PlayerName)
}

extension Command {
  /// Goes to the engine ahead of its time.
  public var isHit: Bool { if case .hit = self { true } else { false } }

  /// Is heard as it comes: its timetag says when it was meant.
  public var isClock: Bool { if case .midiClock = self { true } else { false } }
}

/// What is to become of a player's loop on the next bar line.
public enum LoopAction: String, CaseIterable, Sendable {
  /// One pass is taken down as a layer; then the loop plays.
  case record
  /// Every pass in which something is hit becomes a layer.
  case overdub
  case play, stop
  /// All layers go.
  case clear
}

/// How a kit is chosen.
public enum KitChoice: Hashable, Sendable {
  case id(String)
  /// From 0, as in `/kits`.
  case index(Int)
  case next, previous
}

/// What a host may keep for hosts.
public enum Lock: String, CaseIterable, Sendable {
  case none, tempo, loops, kits

  public var word: String { rawValue }
}
