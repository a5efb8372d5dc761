public import JamCore

/// The server's input, as a room sees it: one recording at a time.
///
/// Thread: any.
public protocol SoundRecorder: Sendable {
  /// Begins to record, for a minute at most.
  /// - Parameter ended: called once, on another thread, with the sound until `stop` or a refusal.
  /// - Throws: `Refusal` where the input cannot be had, or another room records.
  func start(then ended: @escaping @Sendable (Result<Recording, Refusal>) -> Void) throws(Refusal)
  /// Ends the recording, if there is one.
  func stop()
}

/// The sound that an input heard.
public struct Recording: Sendable {
  /// `channels` (1 or 2) values a frame, nominally ±1.
  public var interleaved: [Float]
  public var channels: Int
  /// Frames a second.
  public var rate: Int

  public init(interleaved: [Float], channels: Int, rate: Int) {
    self.interleaved = interleaved
    self.channels = channels
    self.rate = rate
  }
}
