public import JamCore

/// The settings of an encoder. Listeners with equal profiles share one encoder.
public struct StreamProfile: Hashable, Sendable {
  /// The length of one Opus frame, which is one packet.
  public enum FrameLength: Int, CaseIterable, Hashable, Sendable {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case ms2_5 = 120
    case ms5 = 240
    case ms10 = 480
    case ms20 = 960

    public var frames: Frames { Frames(Int64(rawValue)) }
    /// The lowest rate at which music sounds acceptable. At this rate, in the kits' demo beats, at
    /// most a tenth of the moments have noise that stands 6 dB or more above the level that the
    /// music masks (`bandshell bench sound`). Shorter frames repeat more side information, so fewer
    /// bits are left for the sound.
    public var lowestBitrate: Bitrate {
      switch self {
      case .ms2_5: .kbit256
      case .ms5: .kbit128
      case .ms10, .ms20: .kbit96
      }
    }
    /// The length as a word, as in `frame=`.
    public var word: String {
      switch self {
      case .ms2_5: "2.5"
      case .ms5: "5"
      case .ms10: "10"
      case .ms20: "20"
      }
    }
  }

  /// Bits per second. A requested rate is rounded to one of these four steps, so that there are few
  /// encoders.
  public enum Bitrate: Int, CaseIterable, Hashable, Sendable {
    case kbit64 = 64_000
    case kbit96 = 96_000
    case kbit128 = 128_000
    case kbit256 = 256_000

    /// The nearest step to `wish`, 64,000…256,000 bits per second; nil out of that range.
    public init?(nearest wish: Int) {
      guard (64_000...256_000).contains(wish) else { return nil }
      self = Bitrate.allCases.min { abs($0.rawValue - wish) < abs($1.rawValue - wish) } ?? .kbit128
    }
  }

  /// The mode of libopus.
  public enum Application: Hashable, Sendable {
    /// `OPUS_APPLICATION_RESTRICTED_LOWDELAY`: 2.5 ms of lookahead. For RTP and WebRTC.
    case lowDelay
    /// `OPUS_APPLICATION_AUDIO`: 6.5 ms of lookahead, the better choice where delay does not
    /// matter. For Ogg.
    case audio
  }

  public var application: Application
  public var frame: FrameLength
  public var bitrate: Bitrate
  /// Whether the stream carries the metronome's click on top of the mix.
  public var hasClick: Bool
  /// The player whose cue the stream carries; nil for the mix. A cue has its player's own click,
  /// whatever `hasClick` says.
  public var cue: CueOwner?

  public init(application: Application, frame: FrameLength, bitrate: Bitrate = .kbit128, hasClick: Bool = false) {
    self.application = application
    self.frame = frame
    self.bitrate = bitrate
    self.hasClick = hasClick
  }

  /// The profile of `/listen.sdp` where the request names no settings.
  public static let rtp = StreamProfile(application: .lowDelay, frame: .ms5)
  /// The profile of `/listen.opus` where the request names no settings.
  public static let ogg = StreamProfile(application: .audio, frame: .ms20)

  /// The profile of `/whep` where the request names no settings. Shorter frames would bring a
  /// browser no advantage.
  public static let webRTC = StreamProfile(application: .lowDelay, frame: .ms10)

  /// The largest packet that the encoder may make: RFC 6716 §3.4 allows 1,275 bytes for one frame,
  /// and three times the mean is more than constrained VBR ever takes.
  var maximumPacketBytes: Int {
    min(1_275, packetBytes(at: bitrate.rawValue) * 3 + 32)
  }

  /// The mean size of a packet, in bytes, at so many bits per second.
  func packetBytes(at bitrate: Int) -> Int { bitrate * frame.rawValue / Int(Frames.perSecond) / 8 }
}

extension StreamProfile {
  /// This profile with the settings of the query: `frame=`, `bitrate=`, `click=`. Other words are
  /// ignored. `player=`, `token=` and `without=` are among them, because only the room knows its
  /// players.
  /// - Parameter query: names and values, percent-decoded; the last of several equal names counts.
  ///   A rate that is too low for the frame is raised to the lowest that is not.
  /// - Throws: `StreamError` that names the word and what would be right.
  /// - Source: Protocol/streams.md, *Profiles*.
  public func applying(_ query: [(name: String, value: String)]) throws(StreamError) -> StreamProfile {
    var profile = self
    for (name, value) in query {
      switch name {
      case "frame":
        guard let frame = FrameLength(word: value) else { throw .frame(value) }
        profile.frame = frame
      case "bitrate":
        guard let wish = Int(value), let bitrate = Bitrate(nearest: wish) else { throw .bitrate(value) }
        profile.bitrate = bitrate
      case "click":
        profile.hasClick = try StreamProfile.toggle(value, of: name)
      default:
        break
      }
    }
    if profile.bitrate.rawValue < profile.frame.lowestBitrate.rawValue { profile.bitrate = profile.frame.lowestBitrate }
    return profile
  }

  /// Reads a switch of the query, as in `click=1`.
  public static func toggle(_ value: String, of name: String) throws(StreamError) -> Bool {
    switch value {
    case "1", "true", "on", "": return true
    case "0", "false", "off": return false
    default: throw .toggle(name: name, value: value)
    }
  }

  /// Reads `without=`, which has one value, `me`. Nil is a query without the word.
  /// - Throws: `StreamError.without`.
  public static func isWithoutOwn(_ value: String?) throws(StreamError) -> Bool {
    guard let value else { return false }
    guard value == "me" else { throw .without(value) }
    return true
  }

  /// This profile for the cue of a player. `click=1` has no effect on a cue.
  public func cueing(_ owner: CueOwner) -> StreamProfile {
    var profile = self
    profile.cue = owner
    profile.hasClick = false
    return profile
  }

  /// The query that leads to this profile, without a question mark. The query of a cue lacks the
  /// token.
  public var query: String {
    """
    frame=\(frame.word)&bitrate=\(bitrate.rawValue)\
    \(hasClick ? "&click=1" : "")\(cue?.query ?? "")
    """
  }
}

extension CueOwner {
  /// The words of a query that ask for the cue, but for the token.
  fileprivate var query: String { "&player=\(name)\(isWithoutOwn ? "&without=me" : "")" }
}

extension StreamProfile.FrameLength {
  /// - Parameter word: as in `frame=`; `20.0` is `20`.
  public init?(word: String) {
    guard let milliseconds = Double(word),
      let length = Self.allCases.first(where: { $0.frames.milliseconds == milliseconds })
    else { return nil }
    self = length
  }
}
