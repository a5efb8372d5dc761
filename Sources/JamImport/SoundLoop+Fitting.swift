internal import JamKit

extension SoundLoop {
  /// So many frames behind a sound's end a loop may end: writers count its last frame in different
  /// ways.
  private static let slack = 4

  /// A loop as a source tells it, counted from the first frame that is played.
  /// - Parameters:
  ///   - first: in the sound's own frames, as `last`, which is behind the loop's last frame.
  ///   - frames: those that are played.
  ///   - notes: takes what was done, or why there is no loop.
  static func fitting(
    _ first: Int, _ last: Int, within frames: Range<Int>, of name: String, _ notes: inout [String]
  ) -> SoundLoop? {
    let shown = "\(name): its loop, \(first)–\(last),"
    var end = last
    if last > frames.upperBound, last - frames.upperBound <= slack {
      end = frames.upperBound
      let count = last - end
      notes.append("\(shown) ends \(count) \(count == 1 ? "frame" : "frames") behind its sound; it ends with that")
    }
    guard first >= frames.lowerBound, end <= frames.upperBound else {
      notes.append(
        "\(shown) does not lie within its frames \(frames.lowerBound)–\(frames.upperBound); played once")
      return nil
    }
    // One frame that goes round is no sound.
    guard end - first >= 2 else {
      notes.append("\(shown) has no two frames; played once")
      return nil
    }
    return SoundLoop(start: first - frames.lowerBound, end: end - frames.lowerBound)
  }
}
