import ArgumentParser
import JamCommand
import JamCore
import JamKit

/// `bandshell kits check`.
struct KitsCheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Tell everything that is wrong with kits, with file and field.",
    discussion: "Exits with 65 where anything is wrong.")

  @OptionGroup var options: KitFolderOptions

  @Flag(help: "Also print how loud each pad is (BS.1770), the mean of each kit, and its demo beat with its true peak.")
  var loudness = false

  @Flag(help: "Print one JSON object instead of lines.")
  var json = false

  func run() throws {
    let places = try options.resolved()
    var wrong = 0
    var checked: Set<String> = []
    var reports: [KitReport] = []
    for place in places {
      do {
        for kit in try KitFolder.folders(in: place) where checked.insert(kit.realPath ?? kit.path).inserted {
          let found = KitCheck.problems(of: kit)
          let problems = found.filter { !$0.isMissingPack }
          tell(problems, &wrong)
          // The kit itself is fine, but cannot be checked on this machine.
          for problem in found where problem.isMissingPack { Console.warning("\(problem)") }
          guard found.count == problems.count else { continue }
          let report = KitReport(folder: kit, problems: problems, loudness: loudness ? measured(kit) : nil)
          reports.append(report)
          if !json { show(report) }
        }
        tell(KitFolder.strangers(in: place), &wrong)
      } catch {
        tell([error], &wrong)
      }
    }
    if json { print("{\"kits\":[\(reports.map(\.json).joined(separator: ","))]}") }
    guard !checked.isEmpty else {
      Console.error("no kit was found in \(places.joined(separator: ", ")); name a folder that holds a kit.json")
      throw ExitCode.badData
    }
    guard wrong == 0 else {
      Console.error(
        "\(wrong) \(wrong == 1 ? "problem" : "problems") in \(checked.count) \(checked.count == 1 ? "kit" : "kits")")
      throw ExitCode.badData
    }
  }

  private func tell(_ problems: [KitError], _ wrong: inout Int) {
    for problem in problems { Console.error("\(problem)") }
    wrong += problems.count
  }

  private func show(_ report: KitReport) {
    if report.problems.isEmpty { print("\(report.folder.path): fine") }
    if let text = report.loudnessText { print(text) }
  }

  /// The loudness of a kit; nil where it cannot be loaded, which was reported before.
  private func measured(_ folder: KitFolder) -> KitLoudness? {
    guard let kit = try? folder.load() else { return nil }
    return KitLoudness(of: kit)
  }
}

extension KitReport {
  /// The loudness of each pad, and below it that of the demo beat, for people. Nil where the
  /// loudness is not known.
  var loudnessText: String? {
    guard let loudness else { return nil }
    var table = TextTable(["pad", "sound", "LUFS"], rightAligned: [0, 2])
    for sound in loudness.sounds {
      table.add(["\(sound.pad.number)", sound.name, sound.loudness.map(tenths) ?? "-"])
    }
    table.add(["", "mean", loudness.mean.map(tenths) ?? "-"])
    table.add(["", "demo beat", loudness.beat.map(tenths) ?? "-"])
    return "\(table.text)\ndemo beat's true peak: \(tenths(loudness.beatPeak)) dB"
  }
}
