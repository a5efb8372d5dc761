public import JamRealtime
internal import Synchronization

/// One more listener of a room's mix: a sound card, about 10 ms behind the mix, resampled to its
/// own clock.
///
/// The device may come and go: a lost device is tried again every two seconds, and nobody else
/// notices.
/// Thread: any; it plays on a thread of its own. Dropping the last reference stops it.
public final class ALSAOutput: Sendable {
  private let loop: OutputLoop
  private let thread = Mutex<RealtimeThread?>(nil)

  /// - Parameters:
  ///   - device: as `--alsa` names it.
  ///   - tape: the room's.
  ///   - wake: raised when the tape has grown.
  public init(device: String, tape: MixTapeOwner, wake: WakeSignal) {
    loop = OutputLoop(device: device, tape: tape, wake: wake)
  }

  deinit { stop() }

  public var device: String { loop.device }
  public var status: OutputStatus { loop.status }

  /// Whether this output also plays the metronome's click (`/metronome/speakers`).
  public var playsClick: Bool {
    get { loop.playsClick.load(ordering: .relaxed) }
    set { loop.playsClick.store(newValue, ordering: .relaxed) }
  }

  /// Begins to play. If it throws, nothing plays.
  /// - Throws: `.unknown`, with the list of devices, or another error that keeps the device from
  ///   opening now.
  public func start() throws(DeviceError) {
    // Opened here only to get its error; the thread opens the device for itself.
    do { _ = try ALSAPlayer(device: device) }
    startRetrying()
  }

  /// Begins to play as soon as the device is available, now or later.
  public func startRetrying() {
    thread.withLock { thread in
      guard thread == nil else { return }
      // Below the priority of the render workers, because they feed this thread.
      let priority = Swift.max(1, RealtimeRight.current.priority - 10)
      let new = RealtimeThread(name: "alsa out")
      new.start(priority: priority) { [loop] in loop.run() }
      thread = new
    }
  }

  /// Ends playing and closes the device, for good.
  public func stop() {
    loop.end()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }
}
