internal import JamKit
internal import JamRealtime

extension KitStore {
  /// Makes something in the background and calls back from there; at once if too much waits.
  func inBackground<Made: Sendable>(
    _ line: BackgroundPool.Line, _ name: String, replacing subject: String? = nil,
    then call: @escaping @Sendable (Result<Made, KitError>) -> Void,
    _ make: @escaping @Sendable () throws(KitError) -> Made
  ) {
    let isTaken = background.submit(line, replacing: subject) {
      call(Result { () throws(KitError) in try make() })
    }
    if !isTaken { call(.failure(KitError(name, .busy))) }
  }
}
