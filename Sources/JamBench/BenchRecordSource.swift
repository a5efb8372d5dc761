internal import JamCommand

/// The source that the program was built from, as far as git knows it.
enum BenchSource: Equatable {
  /// - Parameters:
  ///   - short: the commit's first eight digits or more.
  ///   - isDirty: whether files differ from it that may change a figure.
  case commit(_ short: String, isDirty: Bool)
  case unknown(reason: String)

  var commit: String? {
    if case .commit(let short, _) = self { short } else { nil }
  }

  /// What a figure does not depend on.
  private static let documents = [":(top,exclude)docs", ":(top,exclude)*.md"]

  /// The commit of a working tree.
  /// - Parameter folder: any folder in it.
  init(of folder: String) {
    guard let commit = BenchSource.lines(["git", "-C", folder, "rev-parse", "--short=8", "HEAD"])?.first else {
      self = .unknown(reason: "git knows no commit of the working folder")
      return
    }
    let git = ["git", "-C", folder]
    let changed = BenchSource.lines(
      git + ["status", "--porcelain", "--untracked-files=no", "--", ":(top)"] + BenchSource.documents)
    // Files that are new and not in git yet are built, too, where they lie in these folders.
    let new = BenchSource.lines(
      git + ["ls-files", "--others", "--exclude-standard", "--", ":(top)Sources", ":(top)Kits"])
    self = .commit(commit, isDirty: changed != [] || new != [])
  }

  /// The version of the compiler on the path, which is the one that `make bench` builds with; nil where there is none.
  static let swift: String? = {
    let words = lines(["swift", "--version"])?.first?.split(separator: " ") ?? []
    return words.firstIndex(of: "version").flatMap { $0 + 1 < words.count ? String(words[$0 + 1]) : nil }
  }()

  /// What a program prints; nil where there is no such program, or it fails.
  private static func lines(_ words: [String]) -> [String]? {
    guard let child = try? ChildProcess(words[0], words, program: "/usr/bin/env") else { return nil }
    var lines: [String] = []
    while let line = child.line(withinSeconds: 30) { lines.append(line) }
    return child.end().isSuccess ? lines : nil
  }
}
