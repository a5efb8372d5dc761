import ArgumentParser
import JamCommand
import JamForge
import JamKit

/// `bandshell kits forge`.
struct KitsForge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forge",
    abstract: "Make the sounds of kits from their recipes.",
    discussion: """
      Every kit folder with a recipe.json gets its FLAC files made anew, the same on every machine. Name kit folders \
      or folders of kits; without any, the usual ones are taken. The recipe's format is in Protocol/kit.md.
      """)

  @OptionGroup var options: KitFolderOptions

  @Option(help: ArgumentHelp("Only the sound file with this name.", valueName: "file"))
  var only: String?

  func run() throws {
    FullDisk.isAnError()
    let places = try options.resolved()
    let kits = places.flatMap { KitForge.folders(in: $0) }
    guard !kits.isEmpty else {
      Console.error(
        "no recipe.json was found in \(places.joined(separator: ", ")); name a kit folder that has one")
      throw ExitCode.badData
    }
    var made = 0
    for folder in kits {
      do {
        let forge = try KitForge(folder)
        for file in forge.files where only == nil || only == file {
          let bytes = try forge.forge(file)
          print("\(folder)/\(file)  \((bytes + 1023) / 1024) KiB")
          made += 1
        }
      } catch let problems as KitProblems {
        for problem in problems.problems { Console.error("\(problem)") }
        throw ExitCode.badData
      } catch let error as KitError {
        Console.error("\(error)")
        throw ExitCode.badData
      }
    }
    if let only, made == 0 {
      Console.error("no recipe makes \(only); name a sound file as it stands in recipe.json")
      throw ExitCode.badData
    }
  }
}
