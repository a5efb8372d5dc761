internal import Synchronization

/// The CPU time of rendering, written by one worker and read by anyone. Real-time safe.
struct RenderLoad: ~Copyable {
  private let average = Atomic<Int>(0)
  private let peak = Atomic<Int>(0)

  /// Records `buffers` buffers that took `nanoseconds` of CPU time. Thread: the worker.
  func note(nanoseconds: Int, buffers: Int) {
    let each = nanoseconds / buffers
    let old = average.load(ordering: .relaxed)
    // A time constant of 256 buffers: 0.64 s.
    average.store(old == 0 ? each : old + (each - old) * min(buffers, 256) / 256, ordering: .relaxed)
    if each > peak.load(ordering: .relaxed) { peak.store(each, ordering: .relaxed) }
  }

  var smoothed: Int { average.load(ordering: .relaxed) }
  /// The peak since the last call. Thread: any.
  func takePeak() -> Int { peak.exchange(0, ordering: .relaxed) }
}
