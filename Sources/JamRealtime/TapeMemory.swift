internal import Glibc

/// Zeroed pages, directly from the kernel.
enum TapeMemory {
  static func map(bytes: Int) -> UnsafeMutablePointer<Float> {
    let address = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    precondition(address != nil && address != MAP_FAILED, "no memory for a tape of \(bytes) bytes")
    return address!.bindMemory(to: Float.self, capacity: bytes / 4)
  }

  static func unmap(_ memory: UnsafeMutablePointer<Float>, bytes: Int) { munmap(memory, bytes) }
}
