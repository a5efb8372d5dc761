/// Why nothing can be said of the costs.
enum CostsError: Error, CustomStringConvertible {
  case file(String, cause: String)
  /// A stage was set up, and the operation did not happen.
  case nothingDone(String)

  var description: String {
    switch self {
    case .file(let file, let cause): "\(file): \(cause); `scripts/costs --write` writes it anew"
    case .nothingDone(let stage): "\(stage): the operation was not done, so nothing can be counted"
    }
  }
}
