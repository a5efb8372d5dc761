internal import JamCore
internal import JamNet

/// The known programs that send single packets and keep no state, such as TouchOSC or Pure Data:
/// the players that they play, and the addresses that get feedback. The next server continues with
/// this state after a restart.
///
/// Thread: any; a plain value.
public struct KeptSenders: Equatable, Sendable {
  /// An address and port from which a program said `/hello` with a name.
  struct Sender: Equatable, Sendable {
    var peer: SocketAddress
    var local: SocketAddress
    var socket: Int
    var room: PlayerName
    /// The player's token.
    var token: String
    var answerPort: UInt16?
    var answersOwnPort: Bool
  }

  struct Subscription: Equatable, Sendable {
    /// The address that asked for the subscription; `none` where that sender has been forgotten.
    var owner: SocketAddress
    var peer: SocketAddress
    var local: SocketAddress
    var socket: Int
    var room: PlayerName
    var topics: Topics
    /// The remaining seconds of the lease.
    var seconds: Int
  }

  var senders: [Sender] = []
  var subscriptions: [Subscription] = []

  /// The largest number of senders, and of subscriptions.
  static let most = 1_024

  public init() {}

  /// A sorted copy, limited to `most`, so that the same content always gives the same text. Not for
  /// the room thread: each comparison makes the text of two addresses.
  var inOrder: KeptSenders {
    var kept = KeptSenders()
    kept.senders = Array(senders.sorted { "\($0.peer)" < "\($1.peer)" }.prefix(KeptSenders.most))
    kept.subscriptions = Array(
      subscriptions.sorted { "\($0.peer)" < "\($1.peer)" }.prefix(KeptSenders.most))
    return kept
  }
}

/// The text has a line for each entry, and tabs between a line's words. A line that cannot be read
/// is ignored.
extension KeptSenders {
  public init(_ text: String) {
    for line in text.split(separator: "\n").prefix(2 * KeptSenders.most) {
      let words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      if let sender = Sender(words) {
        senders.append(sender)
      } else if let subscription = Subscription(words) {
        subscriptions.append(subscription)
      }
    }
  }

  public var text: String { (senders.map(\.line) + subscriptions.map(\.line)).map { "\($0)\n" }.joined() }
}

extension KeptSenders.Sender {
  private static let word = "sender"

  fileprivate init?(_ words: [String]) {
    guard words.count == 8, words[0] == Self.word, let peer = SocketAddress(kept: words[1]), !peer.isNone,
      let local = SocketAddress(kept: words[2]), let socket = UInt8(words[3]).map(Int.init),
      let room = PlayerName(words[4]), !words[5].isEmpty, let port = UInt16(words[6])
    else { return nil }
    self.init(
      peer: peer, local: local, socket: socket, room: room, token: words[5], answerPort: port == 0 ? nil : port,
      answersOwnPort: words[7] == "own")
  }

  fileprivate var line: String {
    [
      Self.word, "\(peer)", "\(local)", "\(socket)", room.text, token, "\(answerPort ?? 0)",
      answersOwnPort ? "own" : "",
    ].joined(separator: "\t")
  }
}

extension KeptSenders.Subscription {
  private static let word = "subscription"

  fileprivate init?(_ words: [String]) {
    guard words.count == 8, words[0] == Self.word, let owner = SocketAddress(kept: words[1]),
      let peer = SocketAddress(kept: words[2]), !peer.isNone, let local = SocketAddress(kept: words[3]),
      let socket = UInt8(words[4]).map(Int.init), let room = PlayerName(words[5]), let topics = UInt16(words[6]),
      let seconds = UInt16(words[7])
    else { return nil }
    self.init(
      owner: owner, peer: peer, local: local, socket: socket, room: room,
      topics: Topics(rawValue: topics).intersection(.all), seconds: Int(seconds))
  }

  fileprivate var line: String {
    [Self.word, "\(owner)", "\(peer)", "\(local)", "\(socket)", room.text, "\(topics.rawValue)", "\(seconds)"]
      .joined(separator: "\t")
  }
}

extension SocketAddress {
  /// An address in the form of `description`.
  fileprivate init?(kept text: String) {
    if text == "\(SocketAddress.none)" {
      self = .none
      return
    }
    do throws(NetError) { self = try SocketAddress(parsing: text) } catch { return nil }
  }
}
