internal import JamCore
internal import JamRealtime
internal import Synchronization

/// Plays the end of a tape on a device, step by step: opens the device, keeps `targetFrames`
/// waiting in it, and gives it up when it fails.
///
/// The tape sets the pace: each step passes on the frames that were rendered since the last one. So
/// a device that takes frames at any speed cannot run away. The device's own clock only affects the
/// resampling ratio.
/// Thread: one at a time; not real-time safe.
struct TapePlayer: ~Copyable {
  /// About 10 ms, of which the device itself holds most.
  static let targetFrames = 480
  /// If the reader is behind by more than this, it jumps to the end, because an output that plays
  /// the past is no monitor.
  private static let mostBehind: Int64 = 960
  private static let retryNanoseconds: Int64 = 2_000_000_000

  private let device: String
  private let tape: MixTape
  private let status: OutputStatus
  private var player: ALSAPlayer?
  private var resampler = HermiteResampler()
  private var drift = DriftController(targetFrames: Double(TapePlayer.targetFrames))
  private var cursor = Frames.zero
  private var lastStep: HostTime
  private var lastTaken: HostTime
  private var retry: HostTime
  /// Whether the next buffer follows a gap, and so must fade in.
  private var followsGap = true
  private let input: UnsafeMutablePointer<Float>
  private let output: UnsafeMutablePointer<Float>

  init(device: String, tape: MixTape, status: OutputStatus, at now: HostTime) {
    self.device = device
    self.tape = tape
    self.status = status
    lastStep = now
    lastTaken = now
    retry = now
    let frames = Int(Frames.perBuffer)
    input = .allocate(capacity: frames * 2)
    // Room for a device at 192 kHz.
    output = .allocate(capacity: HermiteResampler.mostOutput(for: frames, ratio: 4.1) * 2)
  }

  deinit {
    input.deallocate()
    output.deallocate()
  }

  /// Opens the device. Steps also open it by themselves. A server calls this at its start, to
  /// report a wrong name at once.
  mutating func open(at now: HostTime) throws(DeviceError) {
    player = try ALSAPlayer(device: device, bufferFrames: TapePlayer.targetFrames * 4, prefill: TapePlayer.targetFrames)
    resampler = HermiteResampler()
    drift.restart()
    cursor = tape.end
    lastStep = now
    lastTaken = now
    followsGap = true
    status.opened.store(true, ordering: .relaxed)
  }

  /// Passes on the frames that were rendered since the last step, or tries to open the device when
  /// it is time.
  /// - Parameter withClick: whether the click is mixed in.
  mutating func step(at now: HostTime, withClick: Bool) {
    if player == nil, now >= retry {
      retry = now.advanced(byNanoseconds: TapePlayer.retryNanoseconds)
      try? open(at: now)
    }
    guard var open = player.take() else { return }
    do {
      try play(on: &open, at: now, withClick: withClick)
      player = consume open
    } catch {
      retry = now.advanced(byNanoseconds: TapePlayer.retryNanoseconds)
      status.opened.store(false, ordering: .relaxed)
      status.lost.wrappingAdd(1, ordering: .relaxed)
    }
  }

  private mutating func play(
    on player: inout ALSAPlayer, at now: HostTime, withClick: Bool
  ) throws(DeviceError) {
    let end = tape.end
    if end.count - cursor.count > TapePlayer.mostBehind {
      cursor = Frames(end.count - Int64(TapePlayer.targetFrames))
      followsGap = true
      status.jumped.wrappingAdd(1, ordering: .relaxed)
    }
    guard end.count - cursor.count >= Frames.perBuffer else { return }
    let ratio = self.ratio(of: player, at: now)
    while end.count - cursor.count >= Frames.perBuffer {
      guard tape.read(input, from: cursor, count: Int(Frames.perBuffer), click: withClick) else { break }
      cursor += .buffer
      if followsGap { fadeIn() }
      let frames = resampler.process(input, count: Int(Frames.perBuffer), ratio: ratio, into: output)
      try hand(frames, to: &player, at: now)
    }
  }

  private mutating func hand(
    _ frames: Int, to player: inout ALSAPlayer, at now: HostTime
  ) throws(DeviceError) {
    let before = player.underruns
    let taken = try player.write(output, count: frames)
    if player.underruns != before {
      status.dry.wrappingAdd(player.underruns - before, ordering: .relaxed)
      drift.restart()
    }
    status.played.wrappingAdd(taken, ordering: .relaxed)
    if taken > 0 { lastTaken = now }
    if taken < frames {
      status.dropped.wrappingAdd(frames - taken, ordering: .relaxed)
      followsGap = true
    }
    // A device that takes nothing for this long does not play.
    if now.milliseconds(since: lastTaken) > 1_000 { throw .lost(device: device) }
  }

  /// Output frames per tape frame: the nominal ratio of the rates, adjusted so that the device
  /// keeps its fill.
  private mutating func ratio(of player: borrowing ALSAPlayer, at now: HostTime) -> Double {
    let nominal = Double(player.rate) / Double(Frames.perSecond)
    let seconds = now.milliseconds(since: lastStep) / 1_000
    lastStep = now
    // A device that is starting, or has no clock of its own (`null`), has no waiting frames, so the
    // ratio stays nominal.
    let fill = Double(player.delayFrames) / nominal
    guard fill > 0, seconds > 0 else { return nominal }
    let bend = drift.ratio(fill: fill, seconds: seconds)
    status.delay.store(Int(fill), ordering: .relaxed)
    status.drift.store(Int(drift.partsPerMillion), ordering: .relaxed)
    return nominal * bend
  }

  private mutating func fadeIn() {
    followsGap = false
    // A copy: Swift 6.3's compiler breaks on `self.input[…] *=` under the thread sanitizer.
    let input = self.input
    let frames = Int(Frames.perBuffer)
    for i in 0..<frames {
      let gain = Float(i) / Float(frames)
      input[i * 2] *= gain
      input[i * 2 + 1] *= gain
    }
  }
}
