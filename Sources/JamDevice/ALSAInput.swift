internal import JamRealtime
internal import Synchronization

/// Records from a sound device into memory, one recording at a time.
///
/// Thread: any but real-time ones; it listens on a thread of its own with ordinary scheduling: the device holds half a second.
/// Dropping the last reference stops it.
public final class ALSAInput: Sendable {
  public let device: String
  private let configuration: String?
  private let status = InputStatus()
  private let running = Mutex<Running?>(nil)

  private struct Running {
    let loop: InputLoop
    let thread: RealtimeThread
  }

  /// - Parameter device: as ALSA names it: `default`, `hw:1`, `plughw:CARD=USB`.
  public convenience init(device: String) { self.init(device: device, configuration: nil) }

  /// - Parameter configuration: where the name is looked up instead of the system's ALSA configuration, in its language.
  init(device: String, configuration: String?) {
    self.device = device
    self.configuration = configuration
  }

  deinit { stop() }

  /// True from `start` until the recording ends, be it by `stop`, full, or without its device.
  public var isRecording: Bool { status.isRecording.load(ordering: .acquiring) }
  /// Of the recording that runs, or ran last.
  public var recordedFrames: Int { status.recordedFrames }
  /// The largest magnitude since this was last asked, 0…1, for a meter.
  public func takePeak() -> Float { status.takePeak() }

  /// Looks whether the device is there; records nothing. It may be plugged in, or free, later on.
  /// - Throws: `.unknownInput`, with the list of devices, `.busy` and the rest.
  public func check() throws(DeviceError) { try ALSARecorder.check(device, configuration: configuration) }

  /// Begins to record; does nothing where a recording waits for its `stop`. The device is open when it returns.
  /// - Parameter mostFrames: where the recording ends by itself, at the device's rate; above 0. 60 s are 2,880,000, and 23 MB in stereo.
  /// - Throws: `.unknownInput`, with the list of devices, and what else keeps the device from opening: nothing runs then.
  public func start(mostFrames: Int) throws(DeviceError) {
    try running.withLock { running throws(DeviceError) in
      guard running == nil else { return }
      let loop = InputLoop(
        try ALSARecorder(device: device, configuration: configuration), mostFrames: mostFrames, status: status)
      status.begin()
      let thread = RealtimeThread(name: "alsa in")
      if case .refused(let code) = thread.launch({ loop.run() }) {
        throw DeviceError(recorder: device, doing: "starting a thread", code: -code)
      }
      running = Running(loop: loop, thread: thread)
    }
  }

  /// Ends the recording, lets the device go and hands out what there is; waits for the thread, a few milliseconds.
  /// - Returns: nil where no recording was started, or its end was handed out already.
  @discardableResult
  public func stop() -> ALSARecording? {
    running.withLock { running in
      guard let ending = running else { return nil }
      running = nil
      ending.loop.end()
      ending.thread.join()
      return ending.loop.recording
    }
  }
}
