import Glibc

/// Covers words on this process's command line, so that the list of processes does not show them
/// any more.
package enum ArgumentVeil {
  /// Writes `x` over the value of each of `options`, as `--password WORD` or `--password=WORD`, in
  /// the memory that the kernel shows. Call this when the arguments are parsed, and before other
  /// threads start.
  package static func cover(_ options: [String]) {
    guard let area = argumentArea() else { return }
    var isValue = false
    var start = area.startIndex
    while start < area.endIndex {
      let end = area[start...].firstIndex(of: 0) ?? area.endIndex
      // The bounds are in order, because `end` is searched from `start` on.
      let text = String(decoding: area[start..<end], as: UTF8.self)
      if isValue {
        for i in start..<end { area[i] = UInt8(ascii: "x") }
        isValue = false
      } else if let option = options.first(where: { text.hasPrefix("\($0)=") }) {
        for i in (start + option.utf8.count + 1)..<end { area[i] = UInt8(ascii: "x") }
      } else {
        isValue = options.contains(text)
      }
      start = end + 1
    }
  }

  /// The memory that the kernel reads for `/proc/self/cmdline`: fields 48 and 49 of
  /// `/proc/self/stat` (proc(5)).
  private static func argumentArea() -> UnsafeMutableBufferPointer<UInt8>? {
    guard let file = fopen("/proc/self/stat", "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 2_048)
    let count = fread(&bytes, 1, bytes.count, file)
    // The program's name is in front of the bracket, and may contain any character.
    let fields = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: ")").last?.split(separator: " ")
    guard let fields, fields.count > 46, let first = UInt(fields[45]), let end = UInt(fields[46]), first < end,
      end - first < 1 << 21, let start = UnsafeMutablePointer<UInt8>(bitPattern: first)
    else { return nil }
    // Unsafe: the kernel itself says that this process's arguments are there, in memory that the
    // process may write.
    return UnsafeMutableBufferPointer(start: start, count: Int(end - first))
  }
}
