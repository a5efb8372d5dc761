/// A queue that grows and shrinks by chunks. It never moves its elements, so that no append and no
/// removal takes long, however many elements there are.
///
/// Elements come in at the end and go from the front. The index of an element stays what it is.
/// Thread: one at a time.
struct ChunkedQueue<Element>: RandomAccessCollection {
  /// Elements of a chunk.
  static var size: Int { 1_024 }
  private static var mostSpares: Int { 4 }

  /// The index of the first element, and the one behind the last.
  private(set) var startIndex = 0
  private(set) var endIndex = 0
  /// Each but the last one is full. The first one may begin with elements that are gone.
  private var chunks: [ContiguousArray<Element>] = []
  /// The index of the first element of the first chunk, were it not gone.
  private var base = 0
  /// Empty chunks for appends to come.
  private var spares: [ContiguousArray<Element>] = []

  /// Gets memory for so many chunks of elements to come. Call it where an allocation costs nobody.
  mutating func prepare(chunks count: Int) {
    while spares.count < count { spares.append(ChunkedQueue.emptyChunk()) }
  }

  private static func emptyChunk() -> ContiguousArray<Element> {
    var chunk = ContiguousArray<Element>()
    chunk.reserveCapacity(size)
    return chunk
  }

  /// Inlined: a call would copy the element once more.
  @inline(__always) mutating func append(_ element: consuming Element) {
    if endIndex - base == chunks.count * ChunkedQueue.size { addChunk() }
    chunks[chunks.count - 1].append(element)
    endIndex += 1
  }

  @inline(never) private mutating func addChunk() {
    chunks.append(spares.popLast() ?? ChunkedQueue.emptyChunk())
  }

  /// The elements before `index` are gone; their memory is used again, or given back.
  /// The objects that they hold stay until then.
  mutating func removeFirst(before index: Int) {
    startIndex = Swift.min(Swift.max(startIndex, index), endIndex)
    while startIndex - base >= ChunkedQueue.size {
      var chunk = chunks.removeFirst()
      base += ChunkedQueue.size
      guard spares.count < ChunkedQueue.mostSpares else { continue }
      chunk.removeAll(keepingCapacity: true)
      spares.append(chunk)
    }
  }

  /// Gives back memory that holds nothing.
  mutating func compact() {
    spares = []
    if isEmpty { (chunks, base) = ([], endIndex) }
  }

  subscript(index: Int) -> Element {
    get { chunks[(index - base) / ChunkedQueue.size][(index - base) % ChunkedQueue.size] }
    _modify {
      precondition(index >= startIndex && index < endIndex, "an element that is there")
      yield &chunks[(index - base) / ChunkedQueue.size][(index - base) % ChunkedQueue.size]
    }
  }
}
