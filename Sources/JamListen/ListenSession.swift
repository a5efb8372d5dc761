internal import JamRealtime
internal import Synchronization

/// Listens to one stream of a server, on the calling thread, until told to stop.
///
/// Thread: `run` on one; `stop` and `takeProgress` on any. `stop` may be called by a signal handler.
public final class ListenSession: Sendable {
  public let url: ListenURL
  private let isStopping = Atomic<Bool>(false)
  let loop = PollLoop()
  private let shown = Mutex<ListenProgress>(ListenProgress())

  /// Whether the session waits for late packets, because nobody hears the sound while it comes.
  let isPatient: Bool

  /// - Parameter isPatient: for a file. RTP is then held for half a second, and the packets that
  ///   are held at the end are handed over, too.
  public init(_ url: ListenURL, isPatient: Bool = false) {
    self.url = url
    self.isPatient = isPatient
  }

  /// Plays interleaved frames at 48 kHz, one buffer after the other, without gaps; false ends the
  /// session.
  public typealias Sink = (UnsafeBufferPointer<Float>) -> Bool

  /// Connects, and hands sound to `sink` until `stop`, until `sink` has enough, or until the server
  /// is gone.
  /// - Throws: `ListenError`.
  public func run(_ sink: Sink) throws(ListenError) {
    // After silence a decoder gives numbers so small that some CPUs take a hundred times as long.
    RealtimeThread.flushDenormals()
    switch url.kind {
    case .rtp: try listenToRTP(sink)
    case .ogg: try listenToOgg(sink)
    }
  }

  /// Makes `run` return within a tenth of a second. Safe in a signal handler.
  public func stop() {
    isStopping.store(true, ordering: .releasing)
    loop.stop()
  }

  /// The present state. This resets the peak to zero.
  public func takeProgress() -> ListenProgress {
    shown.withLock { shown in
      defer { shown.peak = 0 }
      return shown
    }
  }

  private let told = Mutex<String?>(nil)

  /// Takes the server's notice beside the stream. Each notice is returned once.
  public func takeNotice() -> String? { told.withLock { $0.take() } }

  func note(_ notice: String?) { if let notice { told.withLock { $0 = notice } } }

  var isStopped: Bool { isStopping.load(ordering: .acquiring) }

  func show(_ change: (inout ListenProgress) -> Void) { shown.withLock { change(&$0) } }

  /// Counts frames into the progress and plays them.
  func play(_ samples: UnsafeBufferPointer<Float>, _ sink: Sink) -> Bool {
    var peak: Float = 0
    for sample in samples { peak = max(peak, abs(sample)) }
    show { shown in
      shown.seconds += Double(samples.count / 2) / 48_000
      shown.peak = max(shown.peak, peak)
    }
    return sink(samples)
  }

  /// The error from an answer that is not a success.
  static func refusal(_ status: Int, _ body: [UInt8]) -> ListenError {
    let text = String(decoding: body.prefix(200), as: UTF8.self)
    let line = text.prefix { $0 != "\n" && $0 != "\r" }
    return .refused(status: status, reason: line.isEmpty ? "it gave no reason" : String(line))
  }
}
