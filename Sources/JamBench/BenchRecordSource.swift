internal import JamCommand

/// The source that the program was built from, as far as git knows it.
enum BenchSource: Equatable {
  /// - Parameters:
  ///   - short: the first eight digits of the commit, or more.
  ///   - isDirty: whether files that may change a figure differ from the commit.
  case commit(_ short: String, isDirty: Bool)
  case unknown(reason: String)

  var commit: String? {
    if case .commit(let short, _) = self { short } else { nil }
  }

  /// Files that no figure depends on.
  private static let documents = [":(top,exclude)docs", ":(top,exclude)*.md"]

  /// The commit of a working tree.
  /// - Parameter folder: any folder in the tree.
  init(of folder: String) {
    guard let commit = BenchSource.lines(["git", "-C", folder, "rev-parse", "--short=8", "HEAD"])?.first else {
      self = .unknown(reason: "git knows no commit of the working folder")
      return
    }
    let git = ["git", "-C", folder]
    let changed = BenchSource.lines(
      git + ["status", "--porcelain", "--untracked-files=no", "--", ":(top)"] + BenchSource.documents)
    // New files in these folders are built as well, even while git does not know them.
    let new = BenchSource.lines(
      git + ["ls-files", "--others", "--exclude-standard", "--", ":(top)Sources", ":(top)Kits"])
    self = .commit(commit, isDirty: changed != [] || new != [])
  }

  /// The version of the compiler on the path, which is the one that `make bench` builds with; nil
  /// where there is none.
  static let swift: String? = {
    let words = lines(["swift", "--version"])?.first?.split(separator: " ") ?? []
    return words.firstIndex(of: "version").flatMap { $0 + 1 < words.count ? String(words[$0 + 1]) : nil }
  }()

  /// The output of a program in lines; nil where there is no such program, or where it fails.
  private static func lines(_ words: [String]) -> [String]? {
    guard let child = try? ChildProcess(words[0], words, program: "/usr/bin/env") else { return nil }
    var lines: [String] = []
    while let line = child.line(withinSeconds: 30) { lines.append(line) }
    return child.end().isSuccess ? lines : nil
  }
}
