internal import CALSA
internal import Glibc
public import JamCore
internal import JamRealtime
internal import Synchronization

/// A port of the ALSA sequencer that receives a MIDI clock. Other programs and devices are
/// connected to it, for example by `aconnect`.
///
/// Thread: start and stop from any but real-time ones. It listens on a thread of its own with
/// ordinary scheduling, which takes the time of each message when it arrives. Dropping the last
/// reference stops it.
public final class MIDIInput: Sendable {
  public static let clientName = "bandshell"
  public static let portName = "clock"

  private let running = Mutex<Running?>(nil)

  private struct Running {
    let isEnding: Ending
    let thread: RealtimeThread
  }

  private final class Ending: Sendable {
    let isSet = Atomic<Bool>(false)
  }

  public init() {}

  deinit { stop() }

  /// Whether this machine has a sequencer.
  public static var isThere: Bool { access("/dev/snd/seq", F_OK) == 0 }

  /// Opens the port and begins to listen; does nothing where it listens already.
  /// - Parameters:
  ///   - source: the source to connect from at once: a client's name, or `client:port`; nil waits
  ///     for a connection.
  ///   - call: gets each message of a clock with its time, on the listening thread.
  /// - Throws: `.noSequencer` on a machine without one, `.unknownMIDI` where there is no such
  ///   source: nothing runs then.
  public func start(
    from source: String? = nil, _ call: @escaping @Sendable (MIDIClock, HostTime) -> Void
  ) throws(DeviceError) {
    try running.withLock { running throws(DeviceError) in
      guard running == nil else { return }
      let port = try SequencerPort.open(from: source)
      let box = Box(port)
      let ending = Ending()
      let thread = RealtimeThread(name: "midi in")
      thread.start {
        while !ending.isSet.load(ordering: .acquiring) { box.port.wait(milliseconds: 100, call) }
      }
      running = Running(isEnding: ending, thread: thread)
    }
  }

  /// Waits for the thread, a tenth of a second at most.
  public func stop() {
    running.withLock { running in
      running?.isEnding.isSet.store(true, ordering: .releasing)
      running?.thread.join()
      running = nil
    }
  }

  /// Unchecked: only the listening thread touches the port, from its start to its end.
  private final class Box: @unchecked Sendable {
    let port: SequencerPort
    init(_ port: consuming SequencerPort) { self.port = port }
  }
}

/// A client of the sequencer with its port.
private struct SequencerPort: ~Copyable {
  private let handle: OpaquePointer

  private init(_ handle: OpaquePointer) { self.handle = handle }

  static func open(from source: String?) throws(DeviceError) -> SequencerPort {
    jam_alsa_be_quiet()
    var opened: OpaquePointer?
    let result = snd_seq_open(&opened, "default", SND_SEQ_OPEN_INPUT, Int32(SND_SEQ_NONBLOCK))
    guard result >= 0, let handle = opened else { throw .noSequencer(code: result) }
    // From here on, dropping the port closes it.
    let client = SequencerPort(handle)
    snd_seq_set_client_name(handle, MIDIInput.clientName)
    let port = snd_seq_create_simple_port(
      handle, MIDIInput.portName, UInt32(SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE),
      UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION))
    guard port >= 0 else { throw .noSequencer(code: port) }
    guard let source else { return client }
    var address = snd_seq_addr_t()
    guard snd_seq_parse_address(handle, &address, source) >= 0,
      snd_seq_connect_from(handle, port, Int32(address.client), Int32(address.port)) >= 0
    else { throw .unknownMIDI(source: source) }
    return client
  }

  deinit { snd_seq_close(handle) }

  /// Passes on the messages that have come, after waiting for them at most this long.
  func wait(milliseconds: Int32, _ call: (MIDIClock, HostTime) -> Void) {
    var descriptors = [pollfd](repeating: pollfd(), count: Int(snd_seq_poll_descriptors_count(handle, Int16(POLLIN))))
    snd_seq_poll_descriptors(handle, &descriptors, UInt32(descriptors.count), Int16(POLLIN))
    guard poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return }
    let now = HostTime.now
    var event: UnsafeMutablePointer<snd_seq_event_t>?
    while snd_seq_event_input(handle, &event) >= 0, let event {
      if let message = MIDIClock(sequencer: event.pointee) { call(message, now) }
    }
  }
}

extension MIDIClock {
  /// Nil for any other event.
  init?(sequencer event: snd_seq_event_t) {
    switch snd_seq_event_type(UInt32(event.type)) {
    case SND_SEQ_EVENT_CLOCK: self = .tick
    case SND_SEQ_EVENT_START: self = .start
    case SND_SEQ_EVENT_CONTINUE: self = .continue
    case SND_SEQ_EVENT_STOP: self = .stop
    case SND_SEQ_EVENT_SONGPOS: self = .position(min(max(Int(event.data.control.value), 0), 16_383))
    default: return nil
    }
  }
}
