internal import Synchronization

/// A room's endless Ogg Opus streams, one per profile in use.
///
/// Thread: any.
public final class OggMount: Sendable {
  public let room: RoomStreams
  private let fanout: PageFanout
  private let streams = Mutex<[Key: OggStream]>([:])

  private struct Key: Hashable {
    var source: ObjectIdentifier
    var filling: OggFilling
  }

  /// The media type of the answer to `/listen.opus` (RFC 7845 §9).
  public static let mediaType = "audio/ogg"

  public init(room: RoomStreams, fanout: PageFanout) {
    self.room = room
    self.fanout = fanout
  }

  /// Keeps a place for one more listener. Call this before the HTTP head promises a stream.
  /// - Throws: `StreamError.listeners`, `.cues`, `.codec`, `.closed`.
  public func admit(
    _ profile: StreamProfile = .ogg, filling: OggFilling = .nominal
  ) throws(StreamError) -> OggListener {
    let source = try room.open(profile, for: self)
    let stream = streams.withLock { streams in
      let key = Key(source: ObjectIdentifier(source), filling: filling)
      let stream =
        streams[key] ?? OggStream(mount: self, source: source, filling: filling, serial: .random(in: .min ... .max))
      stream.listenerCount.wrappingAdd(1, ordering: .relaxed)
      streams[key] = stream
      return stream
    }
    return OggListener(stream: stream, fanout: fanout)
  }

  /// A listener left `stream`.
  func left(_ stream: OggStream) {
    streams.withLock { streams in
      let (_, count) = stream.listenerCount.wrappingSubtract(1, ordering: .relaxed)
      let key = Key(source: ObjectIdentifier(stream.source), filling: stream.filling)
      if count == 0, streams[key] === stream { streams[key] = nil }
    }
    room.close(stream.source, for: self)
  }
}

extension OggMount: PacketSink {
  func packetsReady(on source: EncodedStream) {
    let key = ObjectIdentifier(source)
    let streams = streams.withLock { streams in
      OggFilling.allCases.compactMap { streams[Key(source: key, filling: $0)] }
    }
    for stream in streams { for page in stream.take() { fanout.publish(page, on: stream) } }
  }
}
