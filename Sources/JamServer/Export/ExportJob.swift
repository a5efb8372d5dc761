import JamCore
import JamExport
import JamKit
package import JamRoom

/// The order to make files of one stretch of music. It contains everything that the process which
/// makes the files has to know.
package struct ExportJob: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    /// A stretch of a score's file, in frames of the score.
    case score(String, first: Int64, length: Int64)
    /// The loops of a project's file: so many bars, or nil for the bars of its longest loop.
    case project(String, bars: Int?)
  }

  package var source: Source
  package var title: String
  /// Where the music is from, as the files say it.
  var about: String
  /// When the first frame was played: seconds since 1970, and the frames after that second.
  var began: Int64 = 0
  var beganFrames: Int64 = 0
  package var outputs: [ExportMaker.Output]
  /// The folder in which stems stay as files of their own, in `stems`; nil puts them into archives.
  package var stemFolder: String?
  /// The path to which `ExportFacts` are written; nil writes none.
  package var facts: String?

  /// Makes the files in this process. Thread: any that may wait.
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

/// The peak of each twentieth of a second.
struct Peaks {
  /// The finished peaks, each 0…255.
  private(set) var all: [UInt8] = []
  private var loudest: Float = 0
  private var count: Int64 = 0

  /// - Parameter buffer: interleaved stereo.
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
