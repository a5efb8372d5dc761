import JamCore
import JamRoom
import NIOCore
import Synchronization

/// The QR codes that were asked for last, and each sender's share of new ones.
///
/// To make a code takes up to 1.6 ms of an event loop, and a page asks for the same few.
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

  private struct State {
    /// The one that was asked for last stands last.
    var kept: [(text: String, picture: ByteBuffer)] = []
    var shares = SavingQuota(atOnce: QRPictures.atOnce, seconds: QRPictures.secondsForOne)

    mutating func find(_ text: String) -> ByteBuffer? {
      guard let place = kept.firstIndex(where: { $0.text == text }) else { return nil }
      let found = kept.remove(at: place)
      kept.append(found)
      return found.picture
    }

    mutating func keep(_ picture: ByteBuffer, of text: String) {
      guard find(text) == nil else { return }
      if kept.count >= QRPictures.mostKept { kept.removeFirst() }
      kept.append((text, picture))
    }
  }

  private let state = Mutex(State())

  /// - Parameters:
  ///   - text: the address that the code leads to.
  ///   - sender: the address or the network that counts as one sender.
  func picture(of text: String, for sender: String, at now: HostTime) -> Answer {
    guard QRPicture.isAddress(text) else { return .noAddress }
    if let known = state.withLock({ $0.find(text) }) { return .picture(known) }
    let seconds = Double(now.nanoseconds) / 1e9
    guard state.withLock({ $0.shares.take(by: sender, at: seconds) }) else { return .tooMany }
    guard let code = QRCode(text) else { return .noAddress }
    // Other event loops do not wait for it.
    let picture = ByteBuffer(string: code.svg)
    state.withLock { $0.keep(picture, of: text) }
    return .picture(picture)
  }
}
