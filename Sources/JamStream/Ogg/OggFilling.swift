/// How much an Ogg stream carries at least, whatever the music takes: silence is encoded to next to nothing, and Chromium hands on
/// what it has received in blocks of 32 KiB, so that a silent room would not begin to play for a minute.
public enum OggFilling: Hashable, Sendable, CaseIterable {
  /// The profile's own bitrate: a block of a browser holds two seconds.
  case nominal
  /// A megabit a second: a block holds a quarter of a second. For browsers that play along.
  case prompt

  /// The size to which smaller packets are filled up.
  func packetBytes(of profile: StreamProfile) -> Int {
    profile.packetBytes(at: self == .prompt ? 1_024_000 : profile.bitrate.rawValue)
  }
}
