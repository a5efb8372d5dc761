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

  @Flag(help: "Also print how loud each pad is (BS.1770), and the mean of each kit.")
  var loudness = false

  func run() throws {
    let places = try options.resolved()
    var wrong = 0
    var checked: Set<String> = []
    for place in places {
      do {
        for kit in try KitFolder.folders(in: place) where checked.insert(kit.realPath ?? kit.path).inserted {
          let found = KitCheck.problems(of: kit)
          let problems = found.filter { !$0.isMissingPack }
          tell(problems, &wrong)
          // Nothing is wrong with the kit: it cannot be looked at here.
          for problem in found where problem.isMissingPack { Console.warning("\(problem)") }
          guard found.count == problems.count else { continue }
          if problems.isEmpty { print("\(kit.path): fine") }
          if loudness { printLoudness(of: kit) }
        }
        tell(KitFolder.strangers(in: place), &wrong)
      } catch {
        tell([error], &wrong)
      }
    }
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

  /// A kit that cannot be loaded has been told of already.
  private func printLoudness(of folder: KitFolder) {
    guard let kit = try? folder.load() else { return }
    let loudness = KitLoudness(of: kit)
    var table = TextTable(["pad", "sound", "LUFS"], rightAligned: [0, 2])
    for sound in loudness.sounds {
      table.add(["\(sound.pad.number)", sound.name, sound.loudness.map(tenths) ?? "-"])
    }
    table.add(["", "mean", loudness.mean.map(tenths) ?? "-"])
    print(table.text)
  }
}
