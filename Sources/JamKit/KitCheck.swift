public import JamCore

/// Looks at a kit as closely as it can: its `kit.json`, and every sound.
public enum KitCheck {
  /// Everything that is wrong with the kit in `folder`; empty where all is well.
  /// - Thread: any; decodes every sound, not real-time safe.
  public static func problems(of folder: KitFolder, limits: Limits = .standard) -> [KitError] {
    let description = folder.readDescription()
    var problems = description.problems + description.remarks
    var checked: [String: Bool] = [:]
    for pad in description.pads {
      guard let file = pad?.file, !file.isEmpty, KitFolder.objection(to: file) == nil, checked[file] == nil else {
        continue
      }
      checked[file] = true
      problems += soundProblems(of: file, in: folder, limits: limits)
    }
    // What only the whole kit shows: that it is too large.
    if problems.isEmpty {
      do { _ = try folder.load(limits: limits) } catch { problems.append(error) }
    }
    return problems
  }

  private static func soundProblems(of file: String, in folder: KitFolder, limits: Limits) -> [KitError] {
    let shown = Files.joined(folder.path, file)
    do {
      let bytes = try folder.read(file, limit: limits.kitBytes)
      let sound = try Sound(decoding: bytes, named: shown, byteLimit: limits.kitBytes).resampled(named: shown)
      return SoundMeasure.faults(of: sound).map { KitError(shown, $0) }
    } catch {
      return [error]
    }
  }
}

extension SoundMeasure {
  /// -80 dB: nobody hears less.
  private static let silence: Float = 1e-4
  /// A hundredth of full scale costs headroom and clicks at both ends.
  private static let offsetLimit = 0.01

  /// What a listener would complain about.
  static func faults(of sound: Sound) -> [KitError.Reason] {
    let planes = (0..<sound.channels).map { channel in
      stride(from: channel, to: sound.interleaved.count, by: sound.channels).map { sound.interleaved[$0] }
    }
    let peak = sound.interleaved.reduce(0) { max($0, abs($1)) }
    guard peak >= silence else { return [.silent] }
    var faults: [KitError.Reason] = []
    let truePeak = ForgeMath.decibels(planes.map(truePeak).max() ?? 0)
    if truePeak > 0 { faults.append(.tooLoud(decibels: truePeak)) }
    if let offset = planes.map(offset).first(where: { abs($0) > offsetLimit }) { faults.append(.offset(level: offset)) }
    // An eighth of the peak at once is a click, whatever follows; a sound may start at its transient, but not beyond it.
    if planes.contains(where: { abs($0.first ?? 0) > peak / 2 }) { faults.append(.click(atEnd: false)) }
    if planes.contains(where: { abs($0.last ?? 0) > peak / 30 }) { faults.append(.click(atEnd: true)) }
    return faults
  }
}
