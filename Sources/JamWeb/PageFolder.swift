#if DEBUG
  import Foundation
  import NIOHTTP1

  /// The page's files on the disk, read again at each request. So a developer of the page only
  /// reloads it, and builds nothing: `BANDSHELL_PAGE=Sources/JamWeb/Page`. Only debug builds have
  /// this.
  struct PageFolder: Sendable {
    private let folder: URL

    init(_ path: String) { folder = URL(filePath: path, directoryHint: .isDirectory) }

    /// The folder that the environment variable names.
    static let named = ProcessInfo.processInfo.environment["BANDSHELL_PAGE"].map(PageFolder.init)

    /// The page's files: the embedded ones, and new ones that are in the folder when the server
    /// starts.
    func assets() -> [Asset] {
      let types = Dictionary(
        Asset.all.map { (Self.ending($0.path), $0.contentType) }, uniquingKeysWith: { first, _ in first })
      let known = Set(Asset.all.map(\.path))
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
      let new = names.map { "/\($0)" }.filter { !known.contains($0) && $0 != "/index.html" }
      return Asset.all
        + new.compactMap { path in types[Self.ending(path)].map { Asset(path: path, contentType: $0, bytes: []) } }
    }

    /// A file as it is on the disk now. The files that the server writes itself come from the
    /// build.
    func response(for asset: Asset, to request: HTTPRequest) -> Response {
      guard !Asset.written.contains(where: { $0.path == asset.path }) else { return asset.response(to: request) }
      let file = folder.appending(path: asset.path == "/" ? "index.html" : String(asset.path.dropFirst()))
      guard let bytes = try? Data(contentsOf: file) else {
        return .text(.notFound, "BANDSHELL_PAGE has no file \(file.path())")
      }
      return Asset(path: asset.path, contentType: asset.contentType, bytes: Array(bytes)).response(to: request)
    }

    /// A file's text as it is on the disk now; nil where the file cannot be read.
    func text(of name: String) -> String? { try? String(contentsOf: folder.appending(path: name), encoding: .utf8) }

    private static func ending(_ path: String) -> Substring {
      path == "/" ? "html" : path.split(separator: ".").last ?? ""
    }
  }
#endif
