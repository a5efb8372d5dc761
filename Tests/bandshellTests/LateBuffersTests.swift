import JamCore
@testable import JamServer
import Testing

@testable import bandshell

@Suite("Late buffers in the log")
struct LateBuffersTests {
  private let main = PlayerName("main")!
  private let attic = PlayerName("attic")!

  private func told(_ events: [LogEvent]) -> [String] {
    events.map { event in "\(event.kind.rawValue) " + event.fields.map { "\($0.value)" }.joined(separator: " ") }
  }

  @Test("only what is new is told, for each room")
  func news() {
    var late = LateBuffers()
    #expect(late.look([main: 0, attic: 0]).isEmpty)
    #expect(
      told(late.look([main: 3, attic: 1])) == [
        "buffers.late text(\"attic\") integer(1)", "buffers.late text(\"main\") integer(3)",
      ])
    #expect(late.look([main: 3, attic: 1]).isEmpty)
    #expect(told(late.look([main: 5, attic: 1])) == ["buffers.late text(\"main\") integer(2)"])
  }

  @Test("a room that was opened again begins at nothing")
  func reopened() {
    var late = LateBuffers()
    _ = late.look([attic: 7])
    #expect(late.look([:]).isEmpty)
    #expect(told(late.look([attic: 2])) == ["buffers.late text(\"attic\") integer(2)"])
  }
}
