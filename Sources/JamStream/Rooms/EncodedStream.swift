internal import JamCore
internal import JamRealtime
internal import Synchronization

/// Someone who passes packets on: RTP, Ogg.
protocol PacketSink: AnyObject, Sendable {
  /// Packets were put on `stream`'s tape. Called on the encode thread; must not wait.
  func packetsReady(on stream: EncodedStream)
}

/// One encoder at work: reads a room's mix from the live edge on and puts packets on its tape.
///
/// Thread: `encode` belongs to the encode thread; the rest to any.
final class EncodedStream: @unchecked Sendable {
  // Unchecked: encoder, position and pcm are the encode thread's; the rest is constant or atomic.
  let profile: StreamProfile
  let lookahead: Frames
  let tape: PacketTape

  /// Where its cue is made; nil for the mix.
  let cue: CuePlaces.Place?
  private var encoder: OpusEncoder
  private var position: Frames?
  private let pcm: UnsafeMutablePointer<Float>

  let byteCount = Atomic<UInt64>(0)
  let skippedFrames = Atomic<Int64>(0)
  let failures = Atomic<UInt64>(0)
  let encodeNanoseconds = Atomic<Int64>(0)

  /// An encoder that is this far behind the mix gives up on what it missed: late sound would stay late for ever.
  static let mostBehind = Frames.milliseconds(400)

  init(_ profile: StreamProfile, cue: CuePlaces.Place? = nil) throws(StreamError) {
    self.profile = profile
    self.cue = cue
    encoder = try OpusEncoder(profile)
    lookahead = encoder.lookahead
    tape = PacketTape(maximumPacketBytes: profile.maximumPacketBytes)
    pcm = .allocate(capacity: profile.frame.rawValue * 2)
  }

  deinit { pcm.deallocate() }

  /// Encodes what the mix has grown by.
  /// - Returns: whether there are new packets on the tape.
  func encode(_ mix: MixTape) -> Bool {
    let end = mix.end
    let length = profile.frame.frames
    var start = position ?? end
    if end - start > EncodedStream.mostBehind {
      skippedFrames.wrappingAdd((end - start).count, ordering: .relaxed)
      start = end
      encoder.reset()
    }
    let began = ThreadTime.nanoseconds
    let packetsBefore = tape.end
    while end - start >= length {
      if read(mix, from: start) {
        put(from: start)
      } else {
        skippedFrames.wrappingAdd(length.count, ordering: .relaxed)
      }
      start += length
    }
    position = start
    guard tape.end != packetsBefore else { return false }
    encodeNanoseconds.wrappingAdd(ThreadTime.nanoseconds - began, ordering: .relaxed)
    return true
  }

  /// The cue where it is made, else the mix: they are the same frame by frame but for what is the player's own.
  private func read(_ mix: MixTape, from start: Frames) -> Bool {
    let count = profile.frame.rawValue
    if let cue, mix.readCue(pcm, Int(cue.number), ticket: cue.ticket, from: start, count: count) { return true }
    return mix.read(pcm, from: start, count: count, click: profile.hasClick)
  }

  private func put(from start: Frames) {
    do {
      let bytes = try encoder.encode(pcm, into: tape.nextSlot)
      tape.commit(byteCount: bytes, firstFrame: start)
      byteCount.wrappingAdd(UInt64(bytes), ordering: .relaxed)
    } catch {
      failures.wrappingAdd(1, ordering: .relaxed)
    }
  }
}
