public import JamRealtime
public import JamRoom
public import JamStream

/// A room as the web server sees it.
///
/// Thread: every call comes on an event loop, so it returns at once and never waits.
public protocol WebRoom: Sendable {
  var name: String { get }
  /// Whether a player needs a password to enter the room, and so to hear it.
  var isPasswordProtected: Bool { get }
  /// Compares in constant time; true where the room has no password.
  func admits(password: String) -> Bool
  /// Whether the token belongs to that player; nil where no player in the room has the name.
  func isRightToken(_ token: String, of player: String) -> Bool?
  /// Whether the request may bring files: with a closed door, only the token of a player who is in
  /// does.
  /// - Parameter player: nil, and an empty token, where the request has none.
  func mayBring(player: String?, token: String) -> Bool
  /// The owner of a cue, where `token` is the token of that player.
  /// - Throws: `StreamError.player`, `.token`.
  func cueOwner(player: String, token: String) throws(StreamError) -> CueOwner
  var status: RoomStatus { get }
  /// The kits that the room offers.
  var kits: [KitLook] { get }
  /// The waveform of a sound by its id, as `starter/3`. `call` is called once, on any thread, with
  /// nil where there is no such sound.
  func waveform(of sound: String, parts: Int, then call: @escaping @Sendable (WaveformFacts?) -> Void)
  /// The waveforms of a kit's sixteen pads, each in at most 48 parts. `call` is called once, on any
  /// thread, with nil where there is no such kit.
  func waveforms(ofKit kit: String, then call: @escaping @Sendable ([WaveformFacts?]?) -> Void)
  /// The pads of a player as they are now. `call` is called once, on any thread, with nil where no
  /// player has the name.
  func pads(of player: String, then call: @escaping @Sendable (PlayerPads?) -> Void)
  /// The sounds of a player's pads and keys as they are now. `call` is called once, on any thread.
  /// - Parameter sender: the address or the network that counts as one sender.
  func sounds(
    of player: String, token: String, for sender: String,
    then call: @escaping @Sendable (Result<PlayerSounds, PlaySoundProblem>) -> Void)
  /// A file of a sound that `sounds` told of. `call` is called once, on any thread.
  func soundFile(
    _ name: String, _ form: PageSounds.Form, for sender: String,
    then call: @escaping @Sendable (Result<[UInt8], PlaySoundProblem>) -> Void)
  /// The room's encoders, for RTP.
  var streams: RoomStreams { get }
  /// The room's endless Ogg Opus.
  var ogg: OggMount { get }
  /// Takes a sound file; `call` is called once, on any thread.
  /// - Parameter sender: the address or the network that counts as one sender.
  func upload(
    _ file: [UInt8], name: String, owner: UploadOwner?, from sender: String,
    then call: @escaping @Sendable (Result<UploadedSound, UploadProblem>) -> Void)
  /// The projects; nil where the server keeps nothing.
  var projects: (any WebProjects)? { get }
  /// The takes; nil where the server keeps nothing.
  var takes: (any WebTakes)? { get }
  /// The library; nil where the server has none.
  var library: (any WebLibrary)? { get }
  /// The last minute of the room's mix.
  var tape: MixTape { get }
}
