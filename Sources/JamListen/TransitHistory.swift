/// The transit times of recent packets, on two clocks that need not agree.
struct TransitHistory {
  private var ring: [Int64] = []
  private var place = 0
  private var sinceLook = 0
  /// The shortest of the recent transits: the time of a packet that nothing delayed.
  private(set) var shortest: Int64 = 0

  static let length = 512
  private static let packetsBetweenLooks = 32

  mutating func append(_ transit: Int64) {
    if ring.isEmpty || transit < shortest { shortest = transit }
    if ring.count < TransitHistory.length {
      ring.append(transit)
    } else {
      ring[place] = transit
      place = (place + 1) % TransitHistory.length
    }
    sinceLook += 1
    if sinceLook >= TransitHistory.packetsBetweenLooks {
      sinceLook = 0
      shortest = ring.min() ?? transit
    }
  }

  /// Time to look at the spread again.
  var isDue: Bool { sinceLook == 0 && !ring.isEmpty }

  /// The largest delay beyond the shortest transit, without the slowest hundredth of the packets.
  var spread: Int64 {
    let sorted = ring.sorted()
    guard let last = sorted.last else { return 0 }
    return (sorted.count >= 100 ? sorted[sorted.count * 99 / 100] : last) - shortest
  }
}
