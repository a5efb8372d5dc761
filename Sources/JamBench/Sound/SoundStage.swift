internal import JamCommand
internal import JamCore
internal import JamKit
internal import JamRealtime
internal import JamRoom

/// The stage on which the bench of sound plays: a room without a clock, with the same state and
/// engine as a live one.
///
/// Thread: any, but one at a time.
struct SoundStage {
  /// A command of one player on a frame.
  struct Act {
    var frame: Int
    var player: Int
    var command: Command

    init(_ frame: Int, _ command: Command, player: Int = 0) {
      (self.frame, self.player, self.command) = (frame, player, command)
    }
  }

  static let rate = 48_000
  /// The frames before the first hit. By then kits and settings are there.
  static let lead = 4_800

  let kitStore: KitStore
  let catalogue: KitCatalogue

  /// - Throws: where none of `folders` contains a kit.
  init(_ folders: [String]) throws {
    catalogue = KitCatalogue(scanning: folders)
    guard !catalogue.kits.isEmpty else {
      throw ChildProcess.Failure(description: "there is no kit: see `bandshell kits list`")
    }
    kitStore = KitStore(catalogue: catalogue, budget: .max)
  }

  /// Plays `acts`. Their frames count from the end of the lead.
  /// - Parameters:
  ///   - kits: the id of each player's kit.
  ///   - seconds: the length of the take.
  ///   - isLevelled: whether the leveller is on, as in rooms. Without the
  ///     leveller the sounds keep the levels at which they are played.
  /// - Throws: where a kit cannot be read, or where the room refuses an act. Nothing was measured
  ///   then.
  func play(_ acts: [Act], kits: [String], seconds: Double, bpm: Double = 120, isLevelled: Bool = false)
    throws -> SoundTake
  {
    let room = OfflineRoom(
      name: try .bench("sound"), kits: kitStore, firstKit: try kitStore.load(kits[0]),
      tempo: Tempo(clamping: bpm), stems: StemPlan(isShaped: true))
    let names = try kits.indices.map { try PlayerName.bench("player\($0)") }
    var number: UInt64 = 1
    func carryOut(_ command: Command, by player: Int, at frame: Int) throws {
      try room.play(.command(command), by: names[player], at: Frames(Int64(frame)), number: number)
      // A command may use several numbers.
      number += 64
    }
    if !isLevelled { try carryOut(.set(.leveller, .bool(false)), by: 0, at: 0) }
    for (player, kit) in kits.enumerated() { try carryOut(.chooseKit(.id(kit)), by: player, at: 0) }
    var take = SoundTake()
    let sorted = acts.enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }.map(
      \.element)
    var next = 0
    let end = SoundStage.lead + Int(seconds * Double(SoundStage.rate))
    let mix = UnsafeMutableBufferPointer<Float>.allocate(capacity: Int(Frames.perBuffer) * 2)
    defer { mix.deallocate() }
    while room.end.count < end {
      // As with a score, the engine gets the commands of the next buffer before it renders that
      // buffer.
      while next < sorted.count, sorted[next].frame + SoundStage.lead < Int(room.end.count) + 240 {
        try carryOut(sorted[next].command, by: sorted[next].player, at: sorted[next].frame + SoundStage.lead)
        next += 1
      }
      let start = room.end
      room.render()
      guard room.parts.tape.tape.read(mix.baseAddress!, from: start, count: Int(Frames.perBuffer)) else {
        throw ChildProcess.Failure(description: "a buffer is missing")
      }
      take.append(UnsafeBufferPointer(mix), room)
    }
    for case .refused(let command, let refusal) in room.takeTold() {
      throw ChildProcess.Failure(description: "\(command) was refused: \(refusal)")
    }
    take.cut(lead: SoundStage.lead, end: end)
    return take
  }
}

/// The sound of a take in front of the limiter (`sumLeft`, `sumRight`) and after it (`left`,
/// `right`). Equal indices are equal moments.
struct SoundTake {
  private(set) var left: [Float] = []
  private(set) var right: [Float] = []
  private(set) var sumLeft: [Float] = []
  private(set) var sumRight: [Float] = []

  mutating func append(_ mix: UnsafeBufferPointer<Float>, _ room: OfflineRoom) {
    for frame in 0..<mix.count / 2 {
      left.append(mix[2 * frame])
      right.append(mix[2 * frame + 1])
    }
    let count = room.stemFrames
    let start = sumLeft.count
    sumLeft.append(contentsOf: repeatElement(0, count: count))
    sumRight.append(contentsOf: repeatElement(0, count: count))
    room.takeStems { _, l, r in
      for frame in 0..<count {
        sumLeft[start + frame] += l[frame]
        sumRight[start + frame] += r[frame]
      }
    }
  }

  mutating func cut(lead: Int, end: Int) {
    left = Array(left[lead..<end])
    right = Array(right[lead..<end])
    sumLeft = Array(sumLeft[lead..<end])
    sumRight = Array(sumRight[lead..<end])
  }

  var frames: Int { left.count }
  var interleaved: [Float] { interleaved(0..<frames) }
  func interleaved(_ range: Range<Int>) -> [Float] { range.flatMap { [left[$0], right[$0]] } }
  var sumInterleaved: [Float] { zip(sumLeft, sumRight).flatMap { [$0, $1] } }

  /// The reduction by the limiter, in dB, for each 2.5 ms in which there is sound.
  func reductions(from first: Int = 0, to last: Int = .max) -> [Double] {
    let step = Int(Frames.perBuffer)
    return stride(from: first, to: min(last, frames) - step + 1, by: step).compactMap { start in
      var (both, before) = (0.0, 0.0)
      for frame in start..<start + step {
        both += Double(left[frame]) * Double(sumLeft[frame]) + Double(right[frame]) * Double(sumRight[frame])
        before += Double(sumLeft[frame]) * Double(sumLeft[frame]) + Double(sumRight[frame]) * Double(sumRight[frame])
      }
      guard before > 1e-5 * Double(step) else { return nil }
      return max(0, -SoundMath.decibels(power: both / before) * 2) + 0
    }
  }
}
