import JamCore

/// A part of a sound from one attack to the next, and its place in the stretched sound. All numbers
/// are frames.
struct StretchSegment: Equatable {
  /// The beginning of the part, in the original (`source`) and in the stretched sound (`place`): at
  /// an attack, or at the sound's first frame.
  var source: Int
  var place: Int
  /// The beginning of the next part. For the last part, the length of the sound.
  var sourceEnd: Int
  var placeEnd: Int
  /// The number of frames that stay as recorded, from the beginning on.
  var kept: Int

  /// The segments of a sound of `frames` that is made `wanted` frames long.
  /// - Parameter attacks: in order, within the sound.
  static func segments(
    attacks: [Int], frames: Int, wanted: Int, factor: Double, kept: Int
  ) -> [StretchSegment] {
    let starts = [0] + attacks.filter { $0 > 0 && $0 < frames }
    let places = starts.map { Int(saturating: (Double($0) * factor).rounded()) }
    return starts.indices.compactMap { n in
      let isLast = n + 1 == starts.count
      let (sourceEnd, placeEnd) = isLast ? (frames, wanted) : (starts[n + 1], places[n + 1])
      guard sourceEnd > starts[n], placeEnd > places[n] else { return nil }
      let room = min(sourceEnd - starts[n], placeEnd - places[n])
      return StretchSegment(
        source: starts[n], place: places[n], sourceEnd: sourceEnd, placeEnd: placeEnd, kept: min(kept, room / 2))
    }
  }

  /// The frame of the original that is heard at `frame` of the stretched sound: step for step in
  /// the kept part, then evenly to the end.
  func source(at frame: Int) -> Int {
    let within = frame - place
    guard within > kept else { return source + within }
    let slope = Double(sourceEnd - source - kept) / Double(max(1, placeEnd - place - kept))
    return source + kept + Int(saturating: (Double(within - kept) * slope).rounded())
  }
}
