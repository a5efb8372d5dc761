internal import JamCore
internal import JamStream

extension ListenSession {
  /// The longest time until `stop` is noticed.
  private static let lookMilliseconds: Int32 = 100
  private static let mostSilentLooks = 100

  func listenToOgg(_ sink: Sink) throws(ListenError) {
    var connection = try HTTPConnection(url)
    let status = try connection.get(url.target)
    guard status == 200 else { throw ListenSession.refusal(status, connection.body()) }
    note(connection.notice)
    var decoder: StreamDecoder
    do { decoder = try StreamDecoder() } catch { throw .stream(error) }
    var demuxer = OggDemuxer()
    var preSkip: Int?
    var silentLooks = 0
    while !isStopped {
      let bytes: [UInt8]
      switch connection.read(waitingMilliseconds: ListenSession.lookMilliseconds) {
      case .bytes(let read):
        bytes = read
        silentLooks = 0
      case .nothing:
        silentLooks += 1
        if silentLooks >= ListenSession.mostSilentLooks {
          throw .silent(seconds: Int(ListenSession.lookMilliseconds) * silentLooks / 1_000)
        }
        continue
      case .end:
        return
      }
      for packet in demuxer.receive(bytes) {
        guard let skip = preSkip else {
          preSkip = OggOpusHeader.preSkip(of: packet.bytes)
          continue
        }
        if packet.bytes.starts(with: "OpusTags".utf8) { continue }
        let samples = decoder.decode(packet.bytes)
        show { $0.receivedPackets += 1 }
        let skipped = min(skip, samples.count / 2)
        preSkip = skip - skipped
        let heard = UnsafeBufferPointer(rebasing: samples.dropFirst(skipped * 2))
        if !heard.isEmpty, !play(heard, sink) { return }
      }
    }
  }
}
