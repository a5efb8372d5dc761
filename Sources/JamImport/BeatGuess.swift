internal import JamCore
internal import JamKit

/// Guesses how many beats a loop is long, from its name, its hits or its length.
enum BeatGuess {
  /// Whether the name says that the sound is a loop.
  static func isLoop(named name: String) -> Bool {
    let words = name.lowercased().split { !$0.isLetter }
    return words.contains { ["loop", "loops", "break", "breaks", "breakbeat"].contains($0) }
      || tempo(named: name) != nil
  }

  /// The tempo in a name, as `120bpm`, `120 bpm` or `bpm_97.5`; nil where the name has no tempo of
  /// 20…300.
  static func tempo(named name: String) -> Double? {
    let text = Array(name.lowercased().utf8)
    let isDigit: (UInt8) -> Bool = { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
    let isGap: (UInt8) -> Bool = { [UInt8(ascii: " "), UInt8(ascii: "_"), UInt8(ascii: "-")].contains($0) }
    for place in text.indices where text[place...].starts(with: Array("bpm".utf8)) {
      var before = text[..<place]
      if before.last.map(isGap) == true { before.removeLast() }
      var after = text[place...].dropFirst(3)
      if after.first.map(isGap) == true { after.removeFirst() }
      for digits in [before.suffix(while: isDigit), after.prefix(while: isDigit)] {
        let number = String(decoding: digits, as: UTF8.self)
        if let bpm = Double(number), Tempo.range.contains(bpm) { return bpm }
      }
    }
    return nil
  }

  /// The assumed tempo of a loop without a tempo in its name: an octave of tempos around 120.
  private static let usual = 85.0..<170.0
  /// A loop may be this far from whole beats at its named tempo.
  private static let slack = 0.03

  /// The usual numbers of beats: powers of two, and the numbers that only the hits tell from these.
  private static let powers = [1.0, 2, 4, 8, 16, 32, 64]
  private static let threes = [3.0, 6, 12, 24, 48]
  private static let odd = [threes, [5, 10, 20, 40], [7, 14, 28, 56]]

  /// - Parameters:
  ///   - bpm: from its name.
  ///   - hits: the frames at which its hits begin. Only computed where the name has no tempo.
  static func beats(of sound: Sound, bpm: Double?, hits: @autoclosure () -> [Int]) -> Double? {
    let rate = Double(sound.rate)
    let places = bpm == nil ? hits().map { Double($0) / rate } : []
    return beats(seconds: Double(sound.frames) / rate, bpm: bpm, hits: places)
  }

  /// - Parameters:
  ///   - bpm: from its name.
  ///   - hits: the beginnings of hits, in seconds. Without a tempo in the name they tell threes,
  ///     fives and sevens from fours.
  /// - Returns: nil where the length fits no number of beats at the named tempo, or more than 64.
  static func beats(seconds: Double, bpm: Double?, hits: [Double] = []) -> Double? {
    guard seconds > 0 else { return nil }
    guard let bpm else {
      guard let inFours = powers.first(where: { usual.contains($0 * 60 / seconds) }) else { return nil }
      return odd.lazy.compactMap { $0.first { usual.contains($0 * 60 / seconds) } }
        .first { isBetter($0, than: inFours, seconds: seconds, hits) } ?? inFours
    }
    let beats = seconds * bpm / 60
    return powers.first { abs(beats / $0 - 1) <= slack }
      ?? (1...64).map(Double.init).first { abs(beats - $0) <= slack }
  }

  /// A hit counts as on a line if it is no further off than 12 ms.
  private static let onLine = 0.012

  /// Whether nearly all hits lie on sixteenths of this many beats, and many do not lie on those of
  /// the usual number. More of the beats must also be hit, because a shuffle's hits fit both
  /// numbers. There must be enough hits, because a few hits fit fives or sevens by chance.
  private static func isBetter(_ beats: Double, than usual: Double, seconds: Double, _ hits: [Double]) -> Bool {
    guard hits.count >= 3, hits.count >= Int(saturating: beats) || threes.contains(beats) else { return false }
    func share(on beats: Double) -> Double {
      let line = seconds / beats / 4
      let fitting = hits.count { abs($0 / line - ($0 / line).rounded()) * line <= onLine }
      return Double(fitting) / Double(hits.count)
    }
    func struck(_ beats: Double) -> Double {
      let length = seconds / beats
      let places = (0..<max(1, Int(saturating: beats))).map { Double($0) * length }
      return Double(places.count { place in hits.contains { abs($0 - place) <= onLine } }) / Double(places.count)
    }
    return share(on: beats) >= 0.85 && share(on: usual) <= 0.7 && struck(beats) > struck(usual)
  }

  /// The guess in words, for the user.
  static func words(_ beats: Double, seconds: Double, isNamed: Bool) -> String {
    let bpm = legible((beats * 600 / seconds).rounded() / 10)
    let count = "\(legible(beats)) beat\(beats == 1 ? "" : "s")"
    let reason = isNamed ? "name" : odd.joined().contains(beats) ? "hits" : "length"
    return "taken as \(count) at \(bpm) bpm, by its \(reason)"
  }
}

extension BidirectionalCollection where SubSequence == Self {
  fileprivate func suffix(while isPart: (Element) -> Bool) -> Self {
    var rest = self
    while let last = rest.last, isPart(last) { rest.removeLast() }
    return self[rest.endIndex...]
  }
}

extension ImportedKit {
  /// Sets the beats of loops, so that they follow the room's tempo. A note tells each guess.
  mutating func guessBeats() {
    for index in pads.indices where pads[index].settings.beats == 0 {
      let pad = pads[index]
      guard pad.layers.count == 1, pad.layers[0].sounds.count == 1, pad.settings.mode == .loop || pad.isCalledLoop
      else { continue }
      let sound = pad.layers[0].sounds[0]
      let seconds = Double(sound.frames) / Double(sound.rate)
      let named = BeatGuess.tempo(named: pad.source) ?? BeatGuess.tempo(named: pad.name)
      guard let beats = BeatGuess.beats(of: sound, bpm: named, hits: sound.hits()) else {
        guard let named else { continue }
        notes.append(
          ImportNote(
            pad.name, "follows no tempo: at the \(legible(named)) bpm of its name it is no whole number of beats"))
        continue
      }
      pads[index].settings.beats = Float(beats)
      let guess = BeatGuess.words(beats, seconds: seconds, isNamed: named != nil)
      notes.append(
        ImportNote(pad.name, "\(guess): it follows the room's tempo; --no-beats leaves that out"))
    }
  }
}

extension ImportedPad {
  fileprivate var isCalledLoop: Bool {
    category == .loop || BeatGuess.isLoop(named: source) || BeatGuess.isLoop(named: name)
  }
}
