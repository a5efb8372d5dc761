import JamCore
import NIOCore

/// The QR codes that were asked for last, and each sender's share of new ones.
///
/// To make a code takes up to 1.6 ms of an event loop.
/// Thread: any.
final class QRPictures: Sendable {
  enum Answer: Equatable {
    case picture(ByteBuffer)
    case noAddress
    /// The sender has asked for too many others.
    case tooMany
  }

  /// The number of pictures that are kept.
  static let mostKept = 16
  static let atOnce = 32
  static let secondsForOne = 1.0

  private let files = RecentFiles<String>(
    most: QRPictures.mostKept, atOnce: QRPictures.atOnce, seconds: QRPictures.secondsForOne)

  /// - Parameters:
  ///   - text: the address that the code leads to.
  ///   - sender: the address or the network that counts as one sender.
  func picture(of text: String, for sender: String, at now: HostTime) -> Answer {
    guard QRPicture.isAddress(text) else { return .noAddress }
    let answer = files.file(text, for: sender, at: now) {
      QRCode(text).map { ByteBuffer(string: $0.svg) }
    }
    switch answer {
    case .file(let picture): return .picture(picture)
    case .tooMany: return .tooMany
    case .none: return .noAddress
    }
  }
}
