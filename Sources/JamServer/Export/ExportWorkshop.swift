import CProcess
import Glibc
import JamCommand
import JamKit
package import JamRoom

/// The place where files of music are made.
package enum ExportWorkshop: Sendable {
  /// In this process, on the calling thread.
  case here(KitStore, first: PlayableKit)
  /// In a process of its own, with lower priority than anything else on the machine. It shares
  /// neither locks nor memory with the server.
  case process(ExportProcess)

  /// Makes the files, and waits until they are complete. Thread: any that may wait.
  /// - Parameters:
  ///   - isCancelled: called a few times a second.
  ///   - progress: called with 0…1.
  func make(
    _ job: ExportJob, isCancelled: @escaping () -> Bool, progress: @escaping ExportMaker.Progress
  ) throws(ExportProblem) {
    switch self {
    case .here(let kitStore, let first):
      try job.make(kitStore, first, isCancelled: isCancelled, progress: progress)
    case .process(let process): try process.make(job, isCancelled: isCancelled, progress: progress)
    }
  }
}

/// Starts this program once more, as `bandshell make`.
package struct ExportProcess: Sendable {
  /// The folders from which the server reads kits.
  let kits: [String]
  let data: String

  private static let program = "/proc/self/exe"

  func make(
    _ job: ExportJob, isCancelled: () -> Bool, progress: ExportMaker.Progress
  ) throws(ExportProblem) {
    // A process that was killed leaves unfinished files behind.
    defer { for output in job.outputs { ExportMaker.sweep(output.path) } }
    let child = try ExportProcess.start(arguments(job))
    defer { close(child.output) }
    var text: [UInt8] = []
    var problem: ExportProblem?
    var isKilled = false
    reading: while true {
      if !isKilled, isCancelled() {
        kill(child.process, SIGKILL)
        isKilled = true
      }
      var waiting = pollfd(fd: child.output, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 250) > 0 else { continue }
      var chunk = [UInt8](repeating: 0, count: 4_096)
      let count = read(child.output, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break reading }
      text += chunk[0..<count]
      while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: text[..<end], as: UTF8.self)
        text.removeFirst(end + 1)
        if let part = line.split(separator: " ").last.flatMap({ Double($0) }), line.hasPrefix("progress ") {
          progress(part)
        } else {
          problem = ExportProblem(line: line) ?? problem
        }
      }
    }
    var status: Int32 = 0
    while waitpid(child.process, &status, 0) < 0, errno == EINTR {}
    if isKilled { throw .cancelled }
    if let problem { throw problem }
    guard status == 0 else { throw .unwritable("whoever makes it ended with \(status)") }
  }

  private func arguments(_ job: ExportJob) -> [String] {
    var words = [
      "bandshell", "make", "--parent", "\(getpid())", "--data", data, "--title", job.title, "--about", job.about,
      "--began", "\(job.began)", "--began-frames", "\(job.beganFrames)",
    ]
    switch job.source {
    case .score(let path, let first, let length):
      words += ["--score", path, "--first", "\(first)", "--length", "\(length)"]
    case .project(let path, let bars):
      words += ["--project", path]
      if let bars { words += ["--bars", "\(bars)"] }
    }
    if let facts = job.facts { words += ["--facts", facts] }
    for kit in kits { words += ["--kits", kit] }
    for output in job.outputs { words += ["--kind", output.kind.text, "--output", output.path] }
    // A value that begins with a hyphen would be read as an option, so each value is written as
    // `--name=value`.
    return words.enumerated().reduce(into: []) { all, word in
      let isValue = word.offset >= 2 && word.offset % 2 == 1
      if isValue { all[all.count - 1] += "=\(word.element)" } else { all.append(word.element) }
    }
  }

  private static func start(_ arguments: [String]) throws(ExportProblem) -> (process: pid_t, output: Int32) {
    let words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var output: Int32 = -1
    let process = jam_start_program(program, words, &output)
    guard process > 0 else { throw .unwritable("another process cannot be started: \(SystemError.text(-process))") }
    return (process, output)
  }

  package init(kits: [String], data: String) {
    self.kits = kits
    self.data = data
  }
}
