import ArgumentParser
import JamCommand
import JamKit

/// `bandshell kits packs`.
struct KitsPacks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "packs", abstract: "Show the packages of recorded sounds that kits can be had from, and how.",
    discussion: """
      A kit may name the sounds of a Debian package instead of carrying them. Where the package is missing, its kits \
      are left out. On systems without the package, put its sounds into DIR/PACKAGE and name DIR in BANDSHELL_PACKS.

      A SoundFont holds many presets, so no kit names one: each preset is imported by itself. Those that are \
      installed are listed; apt-get install fluid-soundfont-gm brings one of 189 presets (MIT).
      """)

  @OptionGroup var options: KitFolderOptions

  func run() throws {
    let folders = try options.resolved().flatMap { (try? KitFolder.folders(in: $0)) ?? [] }
    var table = TextTable(["package", "holds", "licence", "here", "kits"], rightAligned: [])
    for pack in KitPack.all {
      let kits = folders.filter { $0.pack == pack }.map(\.id)
      let place = PackPlaces.standard.folder(of: pack)
      table.add([pack.package, pack.about, pack.licence, place ?? "no", kits.joined(separator: " ")])
    }
    print(table.text)
    for pack in KitPack.all where PackPlaces.standard.folder(of: pack) == nil {
      print("\(pack.package) is not installed; run \(pack.command)")
    }
    for problem in PackPlaces.standard.problems { Console.warning("\(problem)") }
    for folder in folders {
      guard let problem = folder.packProblem, !problem.isMissingPack else { continue }
      print("left out: \(problem)")
    }
    for path in SoundFonts.installed {
      print("SoundFont \(path): bandshell kits import \(path) --list")
    }
  }
}
