import Glibc
import JamNet
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@Suite("A listening channel without descriptors")
struct AcceptPauseTests {
  private final class Heard: Sendable { let codes = Mutex<[Int32]>([]) }

  @Test("pauses, tells it once, and goes on", arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
  func pause(code: Int32) throws {
    let heard = Heard()
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandler(AcceptPause { code in heard.codes.withLock { $0.append(code) } })
    for _ in 0..<3 { channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept")) }
    #expect(heard.codes.withLock { $0 } == [code])
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(499))
    channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept"))
    #expect(heard.codes.withLock { $0.count } == 1)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
    // Still none: the next pause is told, too.
    channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept"))
    #expect(heard.codes.withLock { $0.count } == 2)
    _ = try? channel.finish()
  }

  @Test("another error is not its business")
  func others() throws {
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandler(AcceptPause { _ in Issue.record("told") })
    channel.pipeline.fireErrorCaught(IOError(errnoCode: ECONNABORTED, reason: "accept"))
    #expect(try #require(channel.syncOptions).getOption(.autoRead))
    #expect(throws: IOError.self) { try channel.throwIfErrorCaught() }
    _ = try? channel.finish()
  }
}
