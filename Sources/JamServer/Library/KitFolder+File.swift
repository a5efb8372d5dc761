package import JamKit
import JamStore

extension KitFolder {
  /// Makes a kit's folder from a kit's file.
  /// - Parameters:
  ///   - source: the path of the file.
  ///   - output: the path of the folder, where nothing may be yet.
  /// - Returns: nil where the source is not a zip with a `kit.json`; nothing is written then.
  package static func make(ofFile source: String, at output: String) throws -> KitFolder? {
    guard !Files.isFolder(source), let bytes = try? Files.read(source, limit: KitFile.mostBytes), KitFile.isOne(bytes)
    else { return nil }
    let files = try KitFile.files(in: bytes, named: source)
    guard files.keys.contains(where: { "/\($0.lowercased())".hasSuffix("/kit.json") }) else { return nil }
    let parts = output.split(separator: "/")
    let parent = (output.hasPrefix("/") ? "/" : "./") + parts.dropLast().joined(separator: "/")
    guard !Files.exists(output) else { throw KitError(output, .alreadyThere) }
    return try write(try bundle(of: files, named: source), as: String(parts.last ?? ""), in: parent)
  }
}
