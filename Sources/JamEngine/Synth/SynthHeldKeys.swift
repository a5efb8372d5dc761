/// The keys of one bus that are held, the last one last, for the modes of one note. If there are
/// more than sixteen, the oldest is dropped.
///
/// Real-time safe.
struct SynthHeldKeys: BitwiseCopyable {
  struct Key: BitwiseCopyable {
    var key: UInt8
    /// Whether the player's client sounds the key itself.
    var isOwn: Bool
    var pitch: Float
    /// The frame on which it is released by itself.
    var end: Int64

    @_noLocks init(_ key: UInt8, isOwn: Bool, pitch: Float, end: Int64) {
      self.key = key
      self.isOwn = isOwn
      self.pitch = pitch
      self.end = end
    }
  }

  private static var capacity: Int { @_noLocks get { 16 } }

  private var keys: InlineArray<16, Key> = .init(repeating: Key(0, isOwn: false, pitch: 0, end: 0))
  private(set) var count = 0

  @_noLocks init() {}

  @_noLocks mutating func clear() { count = 0 }

  /// The key that is heard.
  var last: Key? { @_noLocks get { count > 0 ? keys[count - 1] : nil } }

  subscript(index: Int) -> Key { @_noLocks get { keys[index] } }

  @_noLocks mutating func press(_ key: Key) {
    remove(key.key)
    if count == SynthHeldKeys.capacity { remove(keys[0].key) }
    keys[count] = key
    count += 1
  }

  /// No key is the client's any more.
  @_noLocks mutating func disown() {
    var i = 0
    while i < count {
      keys[i].isOwn = false
      i += 1
    }
  }

  @_noLocks mutating func remove(_ key: UInt8) {
    var kept = 0
    var i = 0
    while i < count {
      if keys[i].key != key {
        keys[kept] = keys[i]
        kept += 1
      }
      i += 1
    }
    count = kept
  }
}
