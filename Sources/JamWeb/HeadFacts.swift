import NIOHTTP1

/// The facts of a request's headers that every request needs, found in one pass.
struct HeadFacts {
  private(set) var hosts = 0
  private(set) var hasUpgrade = false
  /// A body follows, with a stated length or in chunks.
  private(set) var hasBody = false
  /// The client waits for an answer before it sends its body.
  private(set) var expectsContinue = false

  init(_ head: HTTPRequestHead) {
    hasUpgrade = head.method == .CONNECT
    for (name, value) in head.headers {
      // Comparing without case costs more than counting, so only names of the right length are
      // compared.
      switch name.utf8.count {
      case 4 where name.lowercased() == "host": hosts += 1
      case 6 where name.lowercased() == "expect": expectsContinue = value.lowercased() == "100-continue"
      case 7 where name.lowercased() == "upgrade": hasUpgrade = true
      case 14 where name.lowercased() == "content-length": hasBody = hasBody || Int(value) != 0
      case 17 where name.lowercased() == "transfer-encoding": hasBody = true
      default: break
      }
    }
  }
}
