public import JamCore

/// Puts packets that came early, late, twice or out of order back on their timeline, as late as needed and no later: a machine
/// without I/O.
///
/// The timeline is the stream's own: what comes out is every frame once, in order, sound or missing. Only the moment at which
/// it comes out adapts. A sender whose clock drifts against ours is followed, because the shortest transit is looked for
/// among recent packets alone.
public struct JitterBuffer {
  /// What to do next.
  public enum Step: Equatable {
    /// Decode this.
    case packet([UInt8])
    /// So many frames will not come any more.
    case missing(frames: Int)
    /// Nothing is due before that moment; nil where nothing can be before a packet comes.
    case wait(until: HostTime?)
  }

  private struct Held {
    var position: Int64
    var frames: Int64
    var payload: [UInt8]
  }

  /// In order of position.
  private var held: [Held] = []
  /// The first frame that has not been given out.
  private var head: Int64?
  private var transits = TransitHistory()
  private var lastTimestamp: UInt32 = 0
  private var lastPosition: Int64 = 0
  private var packetFrames: Int64 = 240
  private var delayNanoseconds: Double
  private let shortestDelay: Double
  /// Frames made up since the last packet came.
  private var starvedFrames: Int64 = 0
  /// Positions given out last, to tell a late packet from one that came twice.
  private var given: [Int64] = []

  public private(set) var latePackets: UInt64 = 0
  public private(set) var duplicatePackets: UInt64 = 0
  public private(set) var missingFrames: UInt64 = 0

  /// Enough for a network that nothing is known of yet; it goes down from there.
  private static let firstDelay = 20_000_000.0
  private static let shortestDelay = 2_000_000.0
  private static let longestDelay = 500_000_000.0
  /// On top of what was seen, so that the next packet like the worst one is still in time.
  private static let margin = 1_000_000.0
  /// A step on the timeline beyond this is another timeline.
  private static let longestJump: Int64 = 48_000 * 5
  private static let mostHeld = 1_024

  /// - Parameter isPatient: for sound that nobody hears while it comes, as a file's. All is held for
  ///   half a second: a packet that a busy network or machine keeps for so long is not missing.
  public init(isPatient: Bool = false) {
    shortestDelay = isPatient ? JitterBuffer.longestDelay : JitterBuffer.shortestDelay
    delayNanoseconds = max(JitterBuffer.firstDelay, shortestDelay)
  }

  /// Whether nothing waits for its moment.
  public var isEmpty: Bool { held.isEmpty }

  /// How long packets are held beyond the shortest transit, in milliseconds.
  public var delayMilliseconds: Double { delayNanoseconds / 1e6 }

  /// Takes in a packet.
  /// - Parameters:
  ///   - timestamp: of the RTP header, in frames, wrapping.
  ///   - frames: that the payload decodes to, 120…5,760.
  public mutating func insert(_ payload: [UInt8], timestamp: UInt32, frames: Int, at arrival: HostTime) {
    let position = unwrap(timestamp)
    if let head, abs(position - head) > JitterBuffer.longestJump { startAgain() }
    lastTimestamp = timestamp
    lastPosition = position
    packetFrames = Int64(frames)
    transits.append(JitterBuffer.transit(position, arrival))
    adapt()
    let first = head ?? position
    head = first
    guard position >= first else {
      if given.contains(position) {
        duplicatePackets += 1
      } else {
        takeLate(position, arrival)
      }
      return
    }
    starvedFrames = 0
    let place = held.lastIndex { $0.position <= position }
    if let place, held[place].position == position {
      duplicatePackets += 1
      return
    }
    held.insert(
      Held(position: position, frames: Int64(frames), payload: payload), at: place.map { $0 + 1 } ?? 0)
    if held.count > JitterBuffer.mostHeld { held.removeFirst() }
  }

  /// What is due at `now`. Call it again until it says `wait`.
  public mutating func next(at now: HostTime) -> Step {
    guard let head else { return .wait(until: nil) }
    let due = due(head)
    guard due <= now else { return .wait(until: due) }
    guard let first = held.first else {
      // Nothing after it either: the stream has stopped, or a long gap begins. It shows when the next packet comes.
      guard starvedFrames < JitterBuffer.patience else { return .wait(until: nil) }
      starvedFrames += packetFrames
      return miss(Int(packetFrames))
    }
    if first.position > head { return miss(Int(min(first.position - head, packetFrames))) }
    held.removeFirst()
    given.append(first.position)
    if given.count > JitterBuffer.remembered { given.removeFirst() }
    self.head = first.position + first.frames
    return .packet(first.payload)
  }

  /// Frames that an empty buffer makes up.
  private static let patience: Int64 = 4_800
  private static let remembered = 64

  /// The next one like it should be in time.
  private mutating func takeLate(_ position: Int64, _ arrival: HostTime) {
    latePackets += 1
    let late = Double(max(0, arrival.nanoseconds - due(position).nanoseconds))
    delayNanoseconds = min(delayNanoseconds + late + JitterBuffer.margin, JitterBuffer.longestDelay)
  }

  private mutating func miss(_ frames: Int) -> Step {
    head = (head ?? 0) + Int64(frames)
    missingFrames += UInt64(frames)
    return .missing(frames: frames)
  }

  private mutating func startAgain() {
    held.removeAll()
    head = nil
    transits = TransitHistory()
    delayNanoseconds = max(JitterBuffer.firstDelay, shortestDelay)
    given.removeAll()
  }

  /// Timestamps wrap every day: compare the signed difference.
  private func unwrap(_ timestamp: UInt32) -> Int64 {
    guard head != nil else { return Int64(timestamp) }
    return lastPosition + Int64(Int32(bitPattern: timestamp &- lastTimestamp))
  }

  private static func transit(_ position: Int64, _ arrival: HostTime) -> Int64 {
    arrival.nanoseconds - position * 125_000 / 6
  }

  private func due(_ position: Int64) -> HostTime {
    HostTime(nanoseconds: transits.shortest + position * 125_000 / 6 + Int64(delayNanoseconds))
  }

  private mutating func adapt() {
    guard transits.isDue else { return }
    let wanted = min(
      max(Double(transits.spread) + JitterBuffer.margin, shortestDelay), JitterBuffer.longestDelay)
    // Up at once, down slowly: a burst that came once comes again.
    delayNanoseconds = wanted > delayNanoseconds ? wanted : delayNanoseconds - (delayNanoseconds - wanted) / 16
  }
}
