internal import JamRealtime
internal import Synchronization

/// Records from a sound device into memory, one recording at a time.
///
/// Thread: any but real-time ones. It listens on a thread of its own with ordinary scheduling,
/// because the device holds half a second. When the last reference is dropped, it stops.
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

  /// - Parameter configuration: text in ALSA's configuration language, in which the name is looked
  ///   up instead of in the system's configuration.
  init(device: String, configuration: String?) {
    self.device = device
    self.configuration = configuration
  }

  deinit { stop() }

  /// True from `start` until the recording ends: by `stop`, because it is full, or because its
  /// device is gone.
  public var isRecording: Bool { status.isRecording.load(ordering: .acquiring) }
  /// The frames of the recording that runs, or ran last.
  public var recordedFrames: Int { status.recordedFrames }
  /// The largest magnitude since the last call, 0…1, for a meter.
  public func takePeak() -> Float { status.takePeak() }

  /// Checks that the device is there; records nothing. A device that is missing or busy now may be
  /// plugged in, or free, later.
  /// - Throws: `.unknownInput`, with the list of devices, `.busy` and the rest.
  public func check() throws(DeviceError) { try ALSARecorder.check(device, configuration: configuration) }

  /// Begins to record; does nothing while a recording waits for its `stop`. The device is open when
  /// this returns.
  /// - Parameter mostFrames: the length at which the recording ends by itself, at the device's
  ///   rate; above 0. 60 s are 2,880,000, and 23 MB in stereo.
  /// - Throws: `.unknownInput`, with the list of devices, or another error that keeps the device
  ///   from opening: nothing runs then.
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

  /// Ends the recording, closes the device and returns the recording. Waits for the thread, a few
  /// milliseconds.
  /// - Returns: nil where no recording was started, or `stop` returned it already.
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
