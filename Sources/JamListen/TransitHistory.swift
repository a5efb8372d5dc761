/// How long recent packets were on their way, on two clocks that need not agree.
struct TransitHistory {
  private var ring: [Int64] = []
  private var place = 0
  private var sinceLook = 0
  /// The shortest of the recent transits: what a packet takes that nothing held up.
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

  /// What all but one in a hundred stay within, beyond the shortest.
  var spread: Int64 {
    let sorted = ring.sorted()
    guard let last = sorted.last else { return 0 }
    return (sorted.count >= 100 ? sorted[sorted.count * 99 / 100] : last) - shortest
  }
}
