#if DEBUG
  import Foundation
  import NIOHTTP1

  /// The page as it lies on disk, read anew at each request, so that whoever works on it reloads and builds nothing:
  /// `BANDSHELL_PAGE=Sources/JamWeb/Page`. Debug builds alone have it.
  struct PageFolder: Sendable {
    private let folder: URL

    init(_ path: String) { folder = URL(filePath: path, directoryHint: .isDirectory) }

    /// The folder that the environment names.
    static let named = ProcessInfo.processInfo.environment["BANDSHELL_PAGE"].map(PageFolder.init)

    /// The page's files: those that are embedded, and those that are in the folder at the start and not in the table yet.
    func assets() -> [Asset] {
      let types = Dictionary(
        Asset.all.map { (Self.ending($0.path), $0.contentType) }, uniquingKeysWith: { first, _ in first })
      let known = Set(Asset.all.map(\.path))
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
      let new = names.map { "/\($0)" }.filter { !known.contains($0) && $0 != "/index.html" }
      return Asset.all
        + new.compactMap { path in types[Self.ending(path)].map { Asset(path: path, contentType: $0, bytes: []) } }
    }

    /// A file as it is now; what the server writes itself is as it was built.
    func response(for asset: Asset, to request: HTTPRequest) -> Response {
      guard !Asset.written.contains(where: { $0.path == asset.path }) else { return asset.response(to: request) }
      let file = folder.appending(path: asset.path == "/" ? "index.html" : String(asset.path.dropFirst()))
      guard let bytes = try? Data(contentsOf: file) else {
        return .text(.notFound, "BANDSHELL_PAGE has no file \(file.path())")
      }
      return Asset(path: asset.path, contentType: asset.contentType, bytes: Array(bytes)).response(to: request)
    }

    /// A file's text as it is now; nil where it cannot be read.
    func text(of name: String) -> String? { try? String(contentsOf: folder.appending(path: name), encoding: .utf8) }

    private static func ending(_ path: String) -> Substring {
      path == "/" ? "html" : path.split(separator: ".").last ?? ""
    }
  }
#endif
