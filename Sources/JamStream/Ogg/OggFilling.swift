/// The least data rate of an Ogg stream, whatever the music needs. It is necessary because silence
/// is encoded to almost nothing, and Chromium passes on the received data in blocks of 32 KiB.
/// Without it, a silent room would not begin to play for a minute.
public enum OggFilling: Hashable, Sendable, CaseIterable {
  /// The profile's own bitrate: a browser's block holds two seconds.
  case nominal
  /// A megabit a second: a block holds a quarter of a second. For browsers of people who play
  /// along.
  case prompt

  /// The size to which smaller packets are padded.
  func packetBytes(of profile: StreamProfile) -> Int {
    profile.packetBytes(at: self == .prompt ? 1_024_000 : profile.bitrate.rawValue)
  }
}
