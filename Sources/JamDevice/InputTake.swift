internal import JamCore
internal import JamRealtime

/// A device to record from. Thread: one at a time.
protocol RecordingDevice: ~Copyable {
  var device: String { get }
  /// 1 or 2.
  var channels: Int { get }
  /// Frames per second.
  var rate: Int { get }
  /// The number of times that the device had more than it could hold: each is a gap in the frames
  /// that were read.
  var overruns: Int { get }

  /// Appends the frames that the device has now, at most `most`, as interleaved floats of ±1. Never
  /// waits.
  /// - Returns: frames appended.
  mutating func read(_ most: Int, appendingTo frames: inout [Float]) throws(DeviceError) -> Int
}

/// One recording in progress, advanced step by step. It takes the frames that the device has, but
/// never more than the clock allows. It ends by itself when it is full or the device is gone.
///
/// Thread: one at a time; not real-time safe.
struct InputTake<Device: RecordingDevice & ~Copyable>: ~Copyable {
  /// A device that gives nothing for this long is gone, even if it reports no error.
  static var patienceMilliseconds: Double { 2_000 }
  /// How far ahead of CLOCK_MONOTONIC a device may be, in ms. The device has its own clock, and it
  /// began to listen before this did.
  static var slackMilliseconds: Double { 100 }

  private(set) var recording: ALSARecording
  private var recorder: Device
  private let mostFrames: Int
  private let began: HostTime
  private var lastTaken: HostTime
  private let status: InputStatus

  /// - Parameter mostFrames: the maximum length of the recording, at the device's rate; above 0.
  init(_ recorder: consuming Device, mostFrames: Int, status: InputStatus, at now: HostTime) {
    precondition(mostFrames > 0, "a recording of no frames")
    recording = ALSARecording(channels: recorder.channels, rate: recorder.rate)
    // Reserved at once, because a growing array holds three times its size while it moves.
    // Untouched pages cost nothing.
    recording.samples.reserveCapacity(Swift.min(mostFrames, recorder.rate * 60) * recorder.channels)
    self.recorder = recorder
    self.mostFrames = mostFrames
    self.status = status
    began = now
    lastTaken = now
  }

  /// Takes the frames that have come by `now`.
  /// - Returns: whether more may come.
  mutating func step(at now: HostTime) -> Bool {
    guard recording.end == .stopped else { return false }
    let from = recording.samples.count
    do throws(DeviceError) {
      let taken = try recorder.read(framesDue(at: now), appendingTo: &recording.samples)
      if taken > 0 { lastTaken = now }
      if now.milliseconds(since: lastTaken) > InputTake.patienceMilliseconds { throw .lost(device: recorder.device) }
    } catch {
      recording.end = .failed(error)
    }
    recording.overruns = recorder.overruns
    if recording.frameCount >= mostFrames { recording.end = .full }
    status.take(recording.samples[from...], frames: recording.frameCount)
    return recording.end == .stopped
  }

  /// The frames that may still be taken. The limit is needed because a device without a clock
  /// (`null`) has any amount at any time.
  private func framesDue(at now: HostTime) -> Int {
    let allowed = now.milliseconds(since: began) + InputTake.slackMilliseconds
    let due = Int(allowed * Double(recording.rate) / 1_000)
    return Swift.max(0, Swift.min(due, mostFrames) - recording.frameCount)
  }
}
