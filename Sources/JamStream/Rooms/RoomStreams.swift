public import JamCore
public import JamRealtime
internal import Synchronization

/// A room's encoders: one for each profile in use, none while nobody listens.
///
/// Thread: any, except for `encode`. The owner of the tape's memory must outlive this object.
public final class RoomStreams: Sendable {
  /// The room's name, which listeners see as the title.
  public let room: String
  public let anchor: ClockAnchor
  let mix: MixTape
  private let mostListeners: Int
  private let state: Mutex<State>

  private struct State {
    var active: [StreamProfile: ActiveStream] = [:]
    /// The same streams for the encode thread: it takes the array with one retain.
    var working: [ActiveStream] = []
    var listenerCount = 0
    var isClosed = false
    /// Raised when an encoder must start.
    var demand: WakeSignal?
    var cues: CuePlaces
    var revision: UInt64 = 0
    var announce: (@Sendable (OpenStreams) -> Void)?

    init(cues: Int) { self.cues = CuePlaces(count: cues) }

    /// The news for the room after an encoder came or went, with the function that tells it; nil
    /// where the room need not know.
    mutating func changed(_ profile: StreamProfile) -> Announcement? {
      guard profile.cue != nil || profile.hasClick else { return nil }
      revision += 1
      let open = OpenStreams(
        revision: revision, cues: cues.open, carriesClick: active.keys.contains { $0.hasClick })
      return announce.map { Announcement(announce: $0, open: open) }
    }
  }

  private struct Announcement {
    var announce: @Sendable (OpenStreams) -> Void
    var open: OpenStreams

    func callAsFunction() { announce(open) }
  }

  /// An encoder and the sinks that pass its packets on, with the number of listeners of each sink.
  private struct ActiveStream: Sendable {
    let stream: EncodedStream
    var sinks: [(sink: any PacketSink, listeners: Int)]
    var listeners: Int { sinks.reduce(0) { $0 + $1.listeners } }
  }

  /// - Parameters:
  ///   - room: shown to listeners as the title.
  ///   - anchor: the room's frame clock.
  public init(room: String, tape: MixTape, anchor: ClockAnchor, limits: Limits = .standard) {
    self.room = room
    self.mix = tape
    self.anchor = anchor
    mostListeners = limits.listenersPerRoom
    state = Mutex(State(cues: min(limits.cuesPerRoom, tape.cueCount)))
  }

  /// Tells `announce` which streams are open, now and whenever a stream that concerns the room
  /// opens or closes. Calls may overtake each other: the highest revision is the newest. Call this
  /// once, before anybody listens.
  public func whenChanged(_ announce: @escaping @Sendable (OpenStreams) -> Void) {
    let open = state.withLock { state in
      state.announce = announce
      state.revision += 1
      return OpenStreams(revision: state.revision)
    }
    announce(open)
  }

  /// Takes in one more listener of `profile`. The first one starts the encoder, at the live edge.
  /// - Throws: `StreamError.listeners` where the room is full, `.cues`, `.codec`, `.closed`.
  func open(_ profile: StreamProfile, for sink: any PacketSink) throws(StreamError) -> EncodedStream {
    let opened = try state.withLock { state throws(StreamError) -> (EncodedStream, WakeSignal?, Announcement?) in
      guard !state.isClosed else { throw .closed }
      guard state.listenerCount < mostListeners else { throw .listeners(limit: mostListeners) }
      var entry: ActiveStream
      let present = state.active[profile]
      if let present {
        entry = present
      } else {
        entry = ActiveStream(stream: try encoder(profile, &state.cues), sinks: [])
      }
      if let i = entry.sinks.firstIndex(where: { $0.sink === sink }) {
        entry.sinks[i].listeners += 1
      } else {
        entry.sinks.append((sink, 1))
      }
      if state.active.isEmpty { mix.follow() }
      state.active[profile] = entry
      state.listenerCount += 1
      state.working = Array(state.active.values)
      return (entry.stream, state.demand, present == nil ? state.changed(profile) : nil)
    }
    opened.1?.raise()
    opened.2?()
    return opened.0
  }

  private func encoder(_ profile: StreamProfile, _ cues: inout CuePlaces) throws(StreamError) -> EncodedStream {
    guard let owner = profile.cue else { return try EncodedStream(profile) }
    var taken = cues
    guard let place = taken.take(owner) else { throw .cues(limit: cues.count) }
    let stream = try EncodedStream(profile, cue: place)
    cues = taken
    return stream
  }

  /// Removes a listener of `stream`. The encoder ends with the last listener.
  func close(_ stream: EncodedStream, for sink: any PacketSink) {
    let announcement = state.withLock { state -> Announcement? in
      guard var entry = state.active[stream.profile], entry.stream === stream,
        let i = entry.sinks.firstIndex(where: { $0.sink === sink })
      else { return nil }
      entry.sinks[i].listeners -= 1
      if entry.sinks[i].listeners == 0 { entry.sinks.remove(at: i) }
      state.active[stream.profile] = entry.sinks.isEmpty ? nil : entry
      if state.active.isEmpty { mix.unfollow() }
      state.listenerCount -= 1
      state.working = Array(state.active.values)
      guard entry.sinks.isEmpty else { return nil }
      if let owner = stream.profile.cue { state.cues.giveBack(owner) }
      return state.changed(stream.profile)
    }
    announcement?()
  }

  /// Encodes the new part of the mix, for every profile in use, and tells the sinks.
  /// - Returns: whether anybody listens at all.
  /// - Thread: encode (one at a time).
  @discardableResult
  public func encode() -> Bool {
    let working = state.withLock { $0.working }
    for entry in working where entry.stream.encode(mix) {
      for taker in entry.sinks { taker.sink.packetsReady(on: entry.stream) }
    }
    return !working.isEmpty
  }

  /// Refuses further listeners, because the room closes.
  public func close() { state.withLock { $0.isClosed = true } }

  /// Closes the room to listeners if nobody listens; else the room stays open.
  public func closeIfUnheard() -> Bool {
    state.withLock { state in
      guard state.listenerCount == 0 else { return false }
      state.isClosed = true
      return true
    }
  }

  func raiseOnDemand(_ signal: WakeSignal) { state.withLock { $0.demand = signal } }

  /// Listeners of all kinds. Thread: any.
  public var listenerCount: Int { state.withLock { $0.listenerCount } }

  /// One for each encoder at work. Thread: any.
  public var encoderStatistics: [EncoderStatistics] {
    state.withLock { $0.working }.map { entry in
      let stream = entry.stream
      return EncoderStatistics(
        profile: stream.profile, cue: stream.cue?.number, listeners: entry.listeners, packets: stream.tape.end,
        bytes: stream.byteCount.load(ordering: .relaxed),
        skippedFrames: Frames(stream.skippedFrames.load(ordering: .relaxed)),
        failures: stream.failures.load(ordering: .relaxed),
        encodeSeconds: Double(stream.encodeNanoseconds.load(ordering: .relaxed)) / 1e9)
    }
  }
}
