internal import JamCore

/// A part of a sound file that repeats while a key is held, in the file's own frames.
public struct SoundLoop: Hashable, Sendable {
  public var start: Int
  /// The frame behind the last.
  public var end: Int

  /// - Returns: nil where the loop would be empty.
  public init?(start: Int, end: Int) {
    guard start >= 0, end > start else { return nil }
    self.start = start
    self.end = end
  }

  var length: Int { end - start }

  /// The range of frame numbers: as long as a kit's sounds can be.
  static let places = 0.0...1e9
}

extension Sound {
  /// The sound up to the loop's end, at 48 kHz, and its loop there.
  ///
  /// Loops of less than a fifth of a second are repeated first. The engine needs some length, and a
  /// short loop that is rounded to whole frames at 48 kHz would be out of tune. So the loop is
  /// repeated until the rounding counts for less than a tenth of a cent.
  /// - Precondition: the loop lies in the sound.
  /// - Throws: `KitError` naming `file`, only where memory is short.
  func looped(_ loop: SoundLoop, named file: String) throws(KitError) -> (sound: Sound, loop: Range<Int32>) {
    let engineRate = Int(Frames.perSecond)
    let ratio = Double(engineRate) / Double(rate)
    let rounds = Self.rounds(of: Double(loop.length) * ratio)
    var sound = self
    let round = interleaved[Range(from: loop.start * channels, to: loop.end * channels)]
    sound.interleaved.removeLast(interleaved.count - loop.end * channels)
    for _ in 0..<rounds - 1 { sound.interleaved += round }
    // The resampler looks some frames ahead, so frames of the loop are added behind the end.
    let ahead = rate == engineRate ? 0 : 256
    for n in 0..<ahead * channels { sound.interleaved.append(round[round.startIndex + n % round.count]) }
    var resampled = try sound.resampled(named: file)
    let start = Int(saturating: (Double(loop.start) * ratio).rounded())
    let length = Int(saturating: (Double(loop.length * rounds) * ratio).rounded())
    let end = min(start + length, resampled.frames)
    resampled.interleaved.removeLast(resampled.interleaved.count - end * channels)
    // In order: a round has two frames at least, and the sound does not end before it.
    return (resampled, Int32(clamping: min(start, end - 1))..<Int32(clamping: end))
  }

  /// The number of repetitions that make one round, for a loop of so many frames at 48 kHz.
  private static func rounds(of frames: Double) -> Int {
    let least = 9_600.0
    guard frames < least, frames > 0 else { return 1 }
    let fewest = max(1, Int(saturating: (least / frames).rounded(.up)))
    // In order: twice as many is no less.
    return (fewest...2 * fewest).min { rest(of: frames * Double($0)) < rest(of: frames * Double($1)) } ?? fewest
  }

  private static func rest(of frames: Double) -> Double { abs(frames - frames.rounded()) / frames }
}
