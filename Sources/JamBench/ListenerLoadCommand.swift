internal import ArgumentParser
internal import JamCommand
internal import JamListen
internal import JamStream

/// `bandshell-bench listener-load`: the process that `bench` starts beside the server. It prints
/// `listening`. After that it prints once a second how many listeners starved, how many are gone,
/// the packets or kilobytes that came, and the packets lost.
struct ListenerLoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "listener-load", abstract: "Many listeners, for the benches.", shouldDisplay: false)

  @Argument var address: String
  @Option var kind: ListenerLoad.Kind
  @Option var count: Int

  func run() throws {
    guard let url = ListenURL(address) else { throw ValidationError("\(address) is no address to listen at") }
    OpenFiles.raiseLimit()
    do {
      switch kind {
      case .rtp: try RTPCrowd(url, count: count).run()
      case .ogg: try OggCrowd(url, count: count).run()
      case .webRTC: try WebRTCCrowd(url, count: count, protection: .aesGCM).run()
      case .webRTCOfOld: try WebRTCCrowd(url, count: count, protection: .aesCM).run()
      }
    } catch {
      Console.error("\(error)")
      throw ExitCode.unavailable
    }
  }
}
