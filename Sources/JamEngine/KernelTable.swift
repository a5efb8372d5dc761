internal import CVoices

/// One interpolation kernel, ready for the inner loops: a row of coefficients for each of 128
/// places between two frames.
///
/// A row holds the values of all taps and then their differences to the next row. Between rows the
/// loops interpolate linearly; the error is 94 dB below a tone of 12 kHz. The memory is never
/// changed. Real-time safe.
struct KernelTable: BitwiseCopyable {
  let rows: UnsafePointer<Float>
  /// Groups of four taps each.
  let groups: Int
  /// The highest 32.32 increment that the table is for.
  let highestIncrement: UInt64
  /// Whether the machine has eight lanes: then `CVoices` replaces the loops of `VoiceKernels`.
  var isWide: Bool

  /// Frames in front of a place's own that the kernel reads. Behind the place it reads one more.
  var before: Int { @_noLocks @inline(__always) get { groups &* 2 &- 1 } }
}

/// The tables of all rates. Made once, and shared by every room. Real-time safe except for
/// `shared`.
struct KernelTables: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the memory is never written after it is made, and never freed.
  private let tables: UnsafePointer<KernelTable>
  /// See `KernelTable.isWide`.
  let isWide: Bool

  static let shared = KernelTables()

  private init() {
    let shapes = KernelShape.all
    isWide = jam_has_wide_voices()
    let tables = UnsafeMutablePointer<KernelTable>.allocate(capacity: shapes.count)
    for (i, shape) in shapes.enumerated() {
      let highest = UInt64(shape.highestRate * 4_294_967_296)
      let table = KernelTable(
        rows: KernelTables.rows(shape), groups: shape.taps / 4,
        highestIncrement: i == shapes.count - 1 ? UInt64.max : highest, isWide: isWide)
      (tables + i).initialize(to: table)
    }
    self.tables = UnsafePointer(tables)
  }

  /// The table for a voice that moves by `increment` with each frame.
  @_noLocks @inline(__always) func table(for increment: UInt64) -> KernelTable {
    var i = 0
    while tables[i].highestIncrement < increment { i &+= 1 }
    return tables[i]
  }

  private static func rows(_ shape: KernelShape) -> UnsafePointer<Float> {
    let phases = 1 << VoiceKernels.phaseBits
    let taps = shape.taps
    let count = phases * taps * 2
    // Aligned to a cache line, so that few loads of eight lanes cross two lines.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Float>.stride, alignment: 64)
    let rows = memory.bindMemory(to: Float.self, capacity: count)
    let curve = (0...phases * taps).map { Float(shape.value(at: Double($0) / Double(phases) - Double(taps / 2))) }
    for phase in 0..<phases {
      for tap in 0..<taps {
        // The last frame is half a kernel behind the place. The further the place goes on, the
        // nearer that frame is to the kernel's middle.
        let at = (taps - 1 - tap) * phases + phase
        let row = rows + phase * taps * 2 + tap
        row[0] = curve[at]
        row[taps] = curve[at + 1] - curve[at]
      }
    }
    return UnsafePointer(rows)
  }
}
