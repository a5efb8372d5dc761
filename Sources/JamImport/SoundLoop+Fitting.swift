internal import JamKit

extension SoundLoop {
  /// A loop may end this many frames behind the sound's end, because programs count its last frame
  /// in different ways.
  private static let slack = 4

  /// A loop as a source states it, counted from the first frame that is played.
  /// - Parameters:
  ///   - first: in the sound's own frames, like `last`, which is the frame behind the loop.
  ///   - frames: the frames that are played.
  ///   - notes: gets a note of a change, or the reason why there is no loop.
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
    // A loop of a single frame makes no sound.
    guard end - first >= 2 else {
      notes.append("\(shown) has no two frames; played once")
      return nil
    }
    return SoundLoop(start: first - frames.lowerBound, end: end - frames.lowerBound)
  }
}
