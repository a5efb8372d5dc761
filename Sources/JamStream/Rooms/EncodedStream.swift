internal import JamCore
internal import JamRealtime
internal import Synchronization

/// A receiver that passes packets on: RTP, Ogg.
protocol PacketSink: AnyObject, Sendable {
  /// Packets were put on `stream`'s tape. Called on the encode thread; must not wait.
  func packetsReady(on stream: EncodedStream)
}

/// One running encoder: it reads a room's mix from the live edge on and puts packets on its tape.
///
/// Thread: only the encode thread calls `encode`; the rest any.
final class EncodedStream: @unchecked Sendable {
  // Unchecked: only the encode thread uses encoder, position and pcm; the rest is constant or
  // atomic.
  let profile: StreamProfile
  let lookahead: Frames
  let tape: PacketTape

  /// The place of its cue; nil for the mix.
  let cue: CuePlaces.Place?
  private var encoder: OpusEncoder
  private var position: Frames?
  private let pcm: UnsafeMutablePointer<Float>

  let byteCount = Atomic<UInt64>(0)
  let skippedFrames = Atomic<Int64>(0)
  let failures = Atomic<UInt64>(0)
  let encodeNanoseconds = Atomic<Int64>(0)

  /// An encoder that is this far behind the mix skips the missed frames, because late sound would
  /// stay late for ever.
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

  /// Encodes the new frames of the mix.
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

  /// Reads the cue where it is rendered, else the mix. Both have the same frames, except for the
  /// player's own sounds. A stream without own hits is silent until its cue is rendered: the mix
  /// has hits that the listener hears already.
  private func read(_ mix: MixTape, from start: Frames) -> Bool {
    let count = profile.frame.rawValue
    if let cue, mix.readCue(pcm, Int(cue.number), ticket: cue.ticket, from: start, count: count) { return true }
    guard mix.read(pcm, from: start, count: count, click: profile.hasClick) else { return false }
    if profile.cue?.isWithoutOwn == true { pcm.update(repeating: 0, count: count * 2) }
    return true
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
