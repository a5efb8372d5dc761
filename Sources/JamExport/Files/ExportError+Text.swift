internal import Glibc

extension ExportError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .file(let action, let path, let code):
      "cannot \(action.rawValue) \(path): \(String(cString: strerror(code)))"
    case .shortened(let path): "\(path) became shorter while it was copied: export again when nobody writes to it"
    case .badPath(let path): "\(path) is not a path inside the export: use names and / only, without .. and \\"
    case .duplicatePath(let path): "\(path) is in the archive already: each path can be there once"
    case .badChannels(let count): "\(count) channels do not fit a WAV file: use 1 to 65535"
    case .partialFrame(let samples, let channels):
      "\(samples) samples are not whole frames of \(channels) channels"
    case .cancelled: "the export was cancelled"
    }
  }
}
