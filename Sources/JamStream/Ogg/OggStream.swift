internal import JamCore
internal import Synchronization

/// One encoded stream on its way out as Ogg pages.
///
/// Thread: `take` is the encode thread's; the rest is constant or atomic.
final class OggStream: @unchecked Sendable {
  // Unchecked: only the encode thread touches muxer, next and buffer.
  let mount: OggMount
  let source: EncodedStream
  let filling: OggFilling
  let identity: OggIdentity
  let listenerCount = Atomic<Int>(0)

  private var muxer: OggMuxer
  private var next: UInt64
  private let buffer: UnsafeMutableRawBufferPointer
  /// Smaller packets are padded to this size.
  private let leastPacketBytes: Int

  /// With few listeners, short pages let them start quickly. With many listeners, long pages save
  /// writes.
  private static let shortPage = Frames.milliseconds(100)
  private static let longPage = Frames.milliseconds(200)
  private static let mostListenersOnShortPages = 2_000

  init(mount: OggMount, source: EncodedStream, filling: OggFilling, serial: UInt32) {
    self.mount = mount
    self.source = source
    self.filling = filling
    leastPacketBytes = filling.packetBytes(of: source.profile)
    next = source.tape.end
    identity = OggIdentity(
      serial: serial, title: mount.room.room, lookahead: source.lookahead, beginsWithEncoder: next == 0)
    muxer = OggMuxer(serial: serial)
    buffer = .allocate(
      byteCount: max(source.profile.maximumPacketBytes, leastPacketBytes), alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// Takes in the new packets of the tape.
  /// - Returns: the pages that are full now.
  func take() -> [AudioPage] {
    let isCrowded = listenerCount.load(ordering: .relaxed) > OggStream.mostListenersOnShortPages
    var pages: [AudioPage] = []
    let end = source.tape.end
    while next < end {
      defer { next += 1 }
      // A packet that was overwritten leaves a gap in the positions.
      guard let memory = buffer.baseAddress, let packet = source.tape.read(next, into: memory) else { continue }
      let byteCount = OpusPadding.pad(buffer, from: packet.byteCount, to: leastPacketBytes)
      let page = muxer.append(
        UnsafeRawBufferPointer(rebasing: buffer.prefix(byteCount)), firstFrame: packet.firstFrame,
        length: source.profile.frame.frames, pageLength: isCrowded ? OggStream.longPage : OggStream.shortPage)
      if let page { pages.append(page) }
    }
    return pages
  }
}
