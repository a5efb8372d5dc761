import JamCore

/// A sound that a player brought along, ready to play and to be kept.
///
/// The memory holds exactly the values of the file, to the bit, so reading the file back gives the
/// same sound.
/// Thread: any that may wait.
public struct FinishedSound: Sendable {
  public let memory: SampleMemory
  /// FLAC at 48 kHz; `memory.hash` is the hash of this file.
  public let file: [UInt8]
  /// The changes that were made to the sound, in words for its owner.
  public let notes: [String]

  /// The longest sound, in seconds, and the largest file, in bytes.
  public static let longestSeconds = SoundMeasure.longestSeconds
  public static let mostBytes = 64 << 20

  /// A sound file of any format, brought to 48 kHz. Silence in front and a long silence behind are
  /// removed; all other frames stay, and hard edges stay hard. Clicks and overloads are repaired;
  /// `notes` names every change.
  /// - Parameter name: the name that errors carry.
  /// - Throws: `KitError` where the file is no sound, is silent, or is longer than a minute.
  public init(file bytes: [UInt8], named name: String) throws(KitError) {
    guard bytes.count <= Self.mostBytes else { throw KitError(name, .tooLarge(limit: Self.mostBytes)) }
    let limit = SampleMemory.byteCount(frames: (Self.longestSeconds + 1) * Int(Frames.perSecond), channels: 2)
    let file = SoundFile(bytes)
    let sound: Sound
    var notes: [String] = []
    do {
      sound = try Sound(decoding: file, named: name, byteLimit: limit, keeping: .none, notes: &notes)
    } catch {
      if case .kitTooLarge = error.reason { throw KitError(name, .muchTooLong(limit: Self.longestSeconds)) }
      throw error
    }
    try self.init(sound, named: name, isRecorded: false, notes: notes)
  }

  /// A recording from a microphone. It begins and ends in the middle of other sound, so both ends
  /// are faded.
  /// - Parameters:
  ///   - interleaved: `channels` (1 or 2) values a frame, nominally ±1.
  ///   - rate: frames a second.
  public init(recorded interleaved: [Float], channels: Int, rate: Int, named name: String) throws(KitError) {
    guard interleaved.count >= channels else { throw KitError(name, .empty) }
    try self.init(
      Sound(interleaved: interleaved, channels: channels, rate: rate, depth: .twentyFour), named: name,
      isRecorded: true)
  }

  /// A piece of music, cut to the frame: neither trimmed nor moved. Only its edges get very short
  /// fades.
  /// - Parameter interleaved: stereo frames at 48 kHz.
  public init(cut interleaved: [Float], named name: String) throws(KitError) {
    var sound = Sound(interleaved: interleaved, channels: 2, rate: Int(Frames.perSecond), depth: .twentyFour)
    guard sound.frames > 0, sound.peak >= SoundMeasure.silence else { throw KitError(name, .silent) }
    sound.fadeIn(milliseconds: 0.25)
    sound.fadeOut(milliseconds: 2)
    try self.init(finished: sound, named: name, notes: [])
  }

  /// - Parameter notes: the changes that were made before.
  private init(_ sound: Sound, named name: String, isRecorded: Bool, notes: [String] = []) throws(KitError) {
    let seconds = Double(sound.frames) / Double(sound.rate)
    guard seconds <= Double(Self.longestSeconds) else {
      throw KitError(name, .tooLong(seconds: seconds, limit: Self.longestSeconds))
    }
    let depth = sound.depth
    var resampled = try sound.resampled(named: name)
    // A resampled sound has values between the steps of 16 bits, so it is kept at 24 bits. The
    // decoder also says 24 bits for a sound that it resampled.
    resampled.depth = sound.rate == resampled.rate ? depth : .twentyFour
    var notes = notes
    // Before the trimming, because a constant offset would not count as silence.
    if (0..<resampled.channels).contains(where: { abs(SoundMeasure.offset(resampled.channel($0))) > 0.01 }) {
      resampled.removeOffset()
      notes.append("freed of a constant offset")
    }
    guard let trimmed = isRecorded ? resampled.trimmed() : resampled.withoutSilence() else {
      throw KitError(name, .silent)
    }
    let cut = (Double(resampled.frames - trimmed.frames) / Double(Frames.perSecond) * 1_000).rounded() / 1_000
    if cut >= (isRecorded ? 0.05 : 0.001) { notes.append("trimmed of \(legible(cut)) s of silence") }
    let repaired = try SoundRepair.repair([trimmed], named: name)
    notes += repaired.notes
    if repaired.loss > 0 { notes.append("turned down by \(legible((repaired.loss * 10).rounded() / 10)) dB") }
    try self.init(finished: repaired.sounds[0], named: name, notes: notes)
  }

  private init(finished sound: Sound, named name: String, notes: [String]) throws(KitError) {
    let kept = sound.quantised()
    file = try kept.encoded(kept.depth == .sixteen ? .flac16 : .flac24, named: name, effort: 0)
    let hash = file.withUnsafeBytes { ContentHash($0) }
    let memory = kept.interleaved.withUnsafeBufferPointer {
      SampleMemory(hash: hash, interleaved: $0, channels: kept.channels)
    }
    guard let memory else { throw KitError(name, .unreadable(cause: Files.lastError())) }
    self.memory = memory
    self.notes = notes
  }
}

extension Sound {
  /// The frames from the first to the last value above −60 dB of the peak; nil where all is
  /// silence.
  private var loud: Range<Int>? {
    guard peak >= SoundMeasure.silence else { return nil }
    let threshold = peak * 0.001
    guard let first = interleaved.firstIndex(where: { abs($0) > threshold }),
      let last = interleaved.lastIndex(where: { abs($0) > threshold })
    else { return nil }
    return Range(from: first / channels, to: last / channels + 1)
  }

  /// Removes a lead-in of more than 2 ms, and silence of more than a second behind. A shorter
  /// silence stays, so that a sound of so many beats keeps its length.
  /// - Returns: nil where all is silence.
  fileprivate func withoutSilence() -> Sound? {
    guard let loud else { return nil }
    let start = loud.lowerBound > rate / 500 ? loud.lowerBound - rate / 1_000 : 0
    guard frames - loud.upperBound > rate else { return start > 0 ? part(Range(from: start, to: frames)) : self }
    var sound = part(Range(from: start, to: loud.upperBound + rate / 200))
    sound.fadeOut(milliseconds: 5)
    return sound
  }

  /// Removes the silence in front and behind, which is 60 dB below the peak. A millisecond in front
  /// stays, and behind as much as the fade takes.
  /// - Returns: nil where all is silence.
  fileprivate func trimmed() -> Sound? {
    guard let loud else { return nil }
    var sound = part(
      Range(from: max(0, loud.lowerBound - rate / 1_000), to: min(frames, loud.upperBound + rate / 200)))
    // A sound that starts from zero gets no fade-in, so that its attack stays as it is.
    let edge = peak / 1_000
    if sound.interleaved.prefix(channels).contains(where: { abs($0) > edge }) { sound.fadeIn(milliseconds: 0.25) }
    sound.fadeOut(milliseconds: 5)
    return sound
  }

  /// Rounds every value to a step of the sound's depth, as a file stores it.
  fileprivate func quantised() -> Sound {
    var sound = self
    let steps = Float(1 << (depth.rawValue - 1))
    sound.interleaved = interleaved.map { Float(Sound.step($0, steps)) / steps }
    return sound
  }
}
