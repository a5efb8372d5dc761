public import JamRealtime
internal import Synchronization

/// One more listener of a room's mix: a sound card, about 10 ms behind it, resampled to its own clock.
///
/// It may come and go: a lost device is tried again every two seconds, and nobody else notices.
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

  /// Whether the metronome's click is heard on it too (`/metronome/speakers`).
  public var playsClick: Bool {
    get { loop.playsClick.load(ordering: .relaxed) }
    set { loop.playsClick.store(newValue, ordering: .relaxed) }
  }

  /// Begins to play, or throws and does not.
  /// - Throws: `.unknown`, with the list of devices, and what else keeps the device from opening now.
  public func start() throws(DeviceError) {
    // Opened here for its error alone; the thread opens its own.
    do { _ = try ALSAPlayer(device: device) }
    startRetrying()
  }

  /// Begins to play when the device can be had, now or later.
  public func startRetrying() {
    thread.withLock { thread in
      guard thread == nil else { return }
      // Below the render workers: they feed it.
      let priority = Swift.max(1, RealtimeRight.current.priority - 10)
      let new = RealtimeThread(name: "alsa out")
      new.start(priority: priority) { [loop] in loop.run() }
      thread = new
    }
  }

  /// Ends playing and lets the device go, for good.
  public func stop() {
    loop.end()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }
}
