public import JamRealtime
public import JamStream

/// A room as the web server sees it.
///
/// Thread: every call comes on an event loop, so it returns at once and never waits.
public protocol WebRoom: Sendable {
  var name: String { get }
  /// Whether it takes a word to enter, and so to hear it.
  var isPasswordProtected: Bool { get }
  /// Compares in constant time; true where the room has no password.
  func admits(password: String) -> Bool
  /// Whether the token is that player's; nil where nobody here is called so.
  func isRightToken(_ token: String, of player: String) -> Bool?
  /// Whose cue it is, where `token` is that player's.
  /// - Throws: `StreamError.player`, `.token`.
  func cueOwner(player: String, token: String) throws(StreamError) -> CueOwner
  var status: RoomStatus { get }
  /// What it offers to choose from.
  var kits: [KitLook] { get }
  /// The waveform of a sound by its id, as `starter/3`; `call` is called once, on any thread, with nil where there is none.
  func waveform(of sound: String, parts: Int, then call: @escaping @Sendable (WaveformFacts?) -> Void)
  /// The waveforms of a kit's sixteen pads, each in at most 48 parts; `call` is called once, on any thread, with nil where there is no such kit.
  func waveforms(ofKit kit: String, then call: @escaping @Sendable ([WaveformFacts?]?) -> Void)
  /// The room's encoders, for RTP.
  var streams: RoomStreams { get }
  /// Its endless Ogg Opus.
  var ogg: OggMount { get }
  /// Takes in a sound file; `call` is called once, on any thread.
  /// - Parameter sender: who counts as one: an address, or a network.
  func upload(
    _ file: [UInt8], name: String, owner: UploadOwner?, from sender: String,
    then call: @escaping @Sendable (Result<UploadedSound, UploadProblem>) -> Void)
  /// Nil where nothing is kept.
  var projects: (any WebProjects)? { get }
  /// Nil where nothing is kept.
  var takes: (any WebTakes)? { get }
  /// Nil where nothing is found.
  var library: (any WebLibrary)? { get }
  /// The last minute of its mix.
  var tape: MixTape { get }
}
