public import JamCore

/// Puts packets that came early, late, twice or out of order back on their timeline. It delays them
/// as much as needed and no more. A machine without I/O.
///
/// The timeline is the stream's own: every frame comes out once, in order, as sound or as missing.
/// Only the time at which it comes out adapts. If the sender's clock drifts against ours, the
/// buffer follows, because it looks for the shortest transit only among recent packets.
public struct JitterBuffer {
  /// The next step to take.
  public enum Step: Equatable {
    /// Decode this packet.
    case packet([UInt8])
    /// This many frames will not come any more.
    case missing(frames: Int)
    /// Nothing is due before that time; nil where nothing can be due before a packet comes.
    case wait(until: HostTime?)
  }

  private struct Held {
    var position: Int64
    var frames: Int64
    var payload: [UInt8]
  }

  /// In order of position.
  private var held: [Held] = []
  /// The first frame that was not given out yet.
  private var head: Int64?
  private var transits = TransitHistory()
  private var lastTimestamp: UInt32 = 0
  private var lastPosition: Int64 = 0
  private var packetFrames: Int64 = 240
  private var delayNanoseconds: Double
  private let shortestDelay: Double
  /// Frames made up since the last packet came.
  private var starvedFrames: Int64 = 0
  /// The last positions that were given out, to tell a late packet from one that came twice.
  private var given: [Int64] = []

  public private(set) var latePackets: UInt64 = 0
  public private(set) var duplicatePackets: UInt64 = 0
  public private(set) var missingFrames: UInt64 = 0

  /// Enough for an unknown network; the delay goes down from there.
  private static let firstDelay = 20_000_000.0
  private static let shortestDelay = 2_000_000.0
  private static let longestDelay = 500_000_000.0
  /// Added to the observed delays, so that the next packet that is as late as the worst one is
  /// still in time.
  private static let margin = 1_000_000.0
  /// A larger step on the timeline means that a new timeline begins.
  private static let longestJump: Int64 = 48_000 * 5
  private static let mostHeld = 1_024

  /// - Parameter isPatient: for sound that nobody hears while it comes, as for a file. All packets
  ///   are held for half a second, so a packet that a busy network or machine delays by up to that
  ///   time is not missing.
  public init(isPatient: Bool = false) {
    shortestDelay = isPatient ? JitterBuffer.longestDelay : JitterBuffer.shortestDelay
    delayNanoseconds = max(JitterBuffer.firstDelay, shortestDelay)
  }

  /// Whether no packet waits for its time.
  public var isEmpty: Bool { held.isEmpty }

  /// The time that packets are held beyond the shortest transit, in milliseconds.
  public var delayMilliseconds: Double { delayNanoseconds / 1e6 }

  /// Takes in a packet.
  /// - Parameters:
  ///   - timestamp: of the RTP header, in frames, wrapping.
  ///   - frames: the number that the payload decodes to, 120…5,760.
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

  /// The step that is due at `now`. Call this again until it returns `wait`.
  public mutating func next(at now: HostTime) -> Step {
    guard let head else { return .wait(until: nil) }
    let due = due(head)
    guard due <= now else { return .wait(until: due) }
    guard let first = held.first else {
      // Nothing comes after it either: the stream has stopped, or a long gap begins. The next
      // packet will show which.
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

  /// Raises the delay, so that the next packet that is as late is in time.
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
    // Up at once, down slowly, because a burst that came once will come again.
    delayNanoseconds = wanted > delayNanoseconds ? wanted : delayNanoseconds - (delayNanoseconds - wanted) / 16
  }
}
