internal import JamRealtime

/// Wakes the media thread when there are packets.
final class MediaBell: PacketSink {
  private let loop: PollLoop

  init(loop: PollLoop) { self.loop = loop }

  func packetsReady(on stream: EncodedStream) { loop.wake() }
}
