internal import Glibc

/// Zeroed pages straight from the kernel. Pages that are never written to cost nothing.
///
/// Real-time safe except for `init` and `deinit`.
struct EffectMemory: ~Copyable {
  let floats: UnsafeMutablePointer<Float>
  private let bytes: Int

  init(floats count: Int) {
    bytes = count * MemoryLayout<Float>.stride
    let address = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    precondition(address != nil && address != MAP_FAILED, "no memory for effects of \(bytes) bytes")
    floats = address!.bindMemory(to: Float.self, capacity: count)
  }

  deinit { munmap(floats, bytes) }
}
