public import JamCore
public import JamRealtime

/// The end of a room's tape as a WAV file, made piece by piece.
///
/// Thread: any one at a time.
public struct LastMinute: Sendable {
  private let tape: MixTape
  private let head: WAVHead
  private var next: Frames
  private let end: Frames
  private var isBegun = false
  private var buffer: [Float]

  private static let framesPerChunk = 8_192

  /// The media type of the answer to `/last.wav`.
  public static let mediaType = "audio/wav"

  /// Chooses the frames to read: the last `seconds` before now, or as many as there are.
  /// - Parameters:
  ///   - seconds: limited to 60, and to the length of the tape minus the time that reading it may
  ///     take.
  public init(tape: MixTape, seconds: Double, format: WAVFormat = .pcm24) {
    self.tape = tape
    end = tape.end
    // The engine goes on writing while a slow client reads, so two seconds of the tape are left as
    // a margin.
    let longest = min(Frames.seconds(60).count, tape.capacity - 2 * Frames.perSecond)
    let wanted = seconds.isFinite ? Frames.seconds(min(max(seconds, 0), 60)).count : longest
    let count = max(0, min(wanted, longest, end.count))
    next = Frames(end.count - count)
    head = WAVHead(format: format, frames: Int(count))
    buffer = [Float](repeating: 0, count: LastMinute.framesPerChunk * 2)
  }

  /// The length of the whole file: the value of `Content-Length`.
  public var byteCount: Int64 { Int64(head.fileBytes) }

  /// The next piece of the file, 48 KiB or so; nil at the end. Frames that the engine has
  /// overwritten meanwhile are silent.
  public mutating func nextChunk() -> [UInt8]? {
    var chunk: [UInt8] = []
    if !isBegun {
      isBegun = true
      chunk = head.bytes
    }
    let count = Int(min(Int64(LastMinute.framesPerChunk), (end - next).count))
    guard count > 0 || !chunk.isEmpty else { return nil }
    buffer.withUnsafeMutableBufferPointer { samples in
      guard count > 0, let memory = samples.baseAddress else { return }
      if !tape.read(memory, from: next, count: count) { memory.update(repeating: 0, count: count * 2) }
      head.format.append(UnsafeBufferPointer(start: memory, count: count * 2), to: &chunk)
    }
    next += Frames(Int64(count))
    return chunk
  }
}
