import JamCore
import JamExport
import JamKit
package import JamRoom

/// Files to be made of one thing that was played: all that whoever makes them must know.
package struct ExportJob: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    /// A stretch of a score's file, in its frames.
    case score(String, first: Int64, length: Int64)
    /// The loops of a project's file: so many bars, or as many as its longest loop has.
    case project(String, bars: Int?)
  }

  package var source: Source
  package var title: String
  /// What the files say of where they are from.
  var about: String
  /// When the first frame was played: seconds since 1970, and frames behind that.
  var began: Int64 = 0
  var beganFrames: Int64 = 0
  package var outputs: [ExportMaker.Output]
  /// Where stems stay as files of their own, in `stems`; nil puts them into archives.
  package var stemFolder: String?
  /// Where `ExportFacts` are written; nil where nobody asks.
  package var facts: String?

  /// Makes them in this process. Thread: any that may wait.
  package func make(
    _ kitStore: KitStore, _ firstKit: PlayableKit, isCancelled: () -> Bool = { false },
    progress: @escaping ExportMaker.Progress = { _ in }
  ) throws(ExportProblem) {
    let maker = ExportMaker(
      source: try opened(kitStore, firstKit), title: title, about: about,
      start: StartTime(unixSeconds: Int(began), framesIntoSecond: Int(beganFrames)), folder: stemFolder)
    var peaks = Peaks()
    let played = try maker.make(outputs, isCancelled: isCancelled, progress: progress) { peaks.take($0) }
    guard let facts else { return }
    do throws(KitError) {
      try Files.write(Array(ExportFacts(played, peaks.all).text.utf8), to: facts)
    } catch {
      throw .unwritable(error.told)
    }
  }

  private func opened(_ kitStore: KitStore, _ firstKit: PlayableKit) throws(ExportProblem) -> any ExportSource {
    switch source {
    case .score(let path, let first, let length):
      TakeReplay(score: path, first: first, length: length, kitStore: kitStore, firstKit: firstKit)
    case .project(let path, let bars):
      try ProjectReplay(path, bars: bars, kitStore: kitStore, firstKit: firstKit)
    }
  }

  package init(
    source: Source, title: String, about: String, began: Int64 = 0, beganFrames: Int64 = 0,
    outputs: [ExportMaker.Output], stemFolder: String? = nil, facts: String? = nil
  ) {
    self.source = source
    self.title = title
    self.about = about
    self.began = began
    self.beganFrames = beganFrames
    self.outputs = outputs
    self.stemFolder = stemFolder
    self.facts = facts
  }
}

/// The loudest of each twentieth of a second.
struct Peaks {
  /// 0…255.
  private(set) var all: [UInt8] = []
  private var loudest: Float = 0
  private var count: Int64 = 0

  /// - Parameter buffer: both channels in turn.
  mutating func take(_ buffer: UnsafeBufferPointer<Float>) {
    for at in stride(from: 0, to: buffer.count - 1, by: 2) {
      loudest = max(loudest, abs(buffer[at]), abs(buffer[at + 1]))
      count += 1
      guard count == TakeStretch.framesPerPeak else { continue }
      all.append(UInt8(min(1, loudest) * 255))
      (loudest, count) = (0, 0)
    }
  }
}
