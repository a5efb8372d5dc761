public import JamKit

/// Makes the sound files of a kit from the `recipe.json` beside its `kit.json`.
public struct KitForge: Sendable {
  private let folder: String
  private let recipe: Recipe

  /// Reads the recipe.
  /// - Parameter folder: the kit's.
  /// - Throws: all problems of the recipe.
  public init(_ folder: String) throws(KitProblems) {
    let file = Files.joined(folder, Recipe.fileName)
    let bytes: [UInt8]
    do {
      bytes = try Files.read(file, limit: Recipe.byteLimit)
    } catch {
      throw KitProblems([error])
    }
    self.folder = folder
    recipe = try Recipe.read(bytes, of: file)
  }

  /// The folders in `path` (or `path` itself) that have a recipe, sorted by name.
  public static func folders(in path: String) -> [String] {
    if Files.exists(Files.joined(path, Recipe.fileName)) { return [path] }
    return (Files.names(in: path) ?? []).sorted().map { Files.joined(path, $0) }
      .filter { Files.exists(Files.joined($0, Recipe.fileName)) }
  }

  /// The names of the sound files that the recipe makes.
  public var files: [String] { recipe.sounds.map(\.file) }

  /// Makes one sound and writes it. The same recipe gives the same values on every machine.
  /// - Thread: any; about half a second of work for a second of sound.
  /// - Returns: the file's bytes.
  public func forge(_ file: String) throws(KitError) -> Int {
    guard let sound = render(file) else { throw KitError(Files.joined(folder, file), .noSuchFile) }
    let target = Files.joined(folder, file)
    let bytes = try sound.flac(named: target)
    try Files.write(bytes, to: target)
    return bytes.count
  }

  func render(_ file: String) -> Sound? {
    recipe.sounds.first { $0.file == file }.map { Forge.render($0.sound) }
  }
}
