import Foundation
import JamCore
import JamKit
import JamRealtime
@testable import JamServer
import Testing

@testable import JamRoom
@testable import bandshell

@Suite("Takes: where recordings begin and end")
struct TakeMachineTests {
  private static let image: RoomImage = {
    let kits = URL(filePath: #filePath).appending(path: "../../../Kits").standardized.path
    let kitStore = KitStore(catalogue: KitCatalogue(scanning: [kits]))
    let state = RoomState(
      name: PlayerName("main")!, kits: kitStore.kits, firstKit: try! kitStore.load("starter"),
      anchor: ClockAnchor(origin: HostTime(nanoseconds: 0)), hostWord: "")
    return RoomImage(of: state, at: .zero)
  }()

  private static func hit(at frame: Frames) -> TakeMachine.Item {
    .entry(LogEntry(sequence: 1, frame: frame, player: PlayerName("ann")!, action: .command(.hit(Pad(1)!, .full))))
  }

  private static func time(_ seconds: Double) -> HostTime { HostTime(nanoseconds: Int64(seconds * 1e9)) }

  /// One that fell silent at 2 s, and asked for the room at 40 s.
  private static func quiet() -> TakeMachine {
    var machine = TakeMachine(tempo: .standard)
    #expect(machine.take(hit(at: .seconds(1)), at: time(1)).count == 1)
    #expect(machine.look(isSounding: true, frame: .seconds(2), at: time(2)).isEmpty)
    guard case .askForImage? = machine.look(isSounding: false, frame: .seconds(40), at: time(40)).first else {
      Issue.record("the room was not asked for")
      return machine
    }
    return machine
  }

  @Test("a hit just after the room was asked for is the next recording's, and so is how long it sounds")
  func late() {
    var machine = TakeMachineTests.quiet()
    #expect(machine.look(isSounding: true, frame: .seconds(41), at: TakeMachineTests.time(41)).isEmpty)
    guard case .end(let frame)? = machine.take(.image(TakeMachineTests.image), at: TakeMachineTests.time(42)).first
    else {
      Issue.record("it did not end")
      return
    }
    #expect(frame == .seconds(2))
    guard
      case .begin(.image, let entries, let first)? = machine.take(
        TakeMachineTests.hit(at: .seconds(40.5)), at: TakeMachineTests.time(42)
      ).first
    else {
      Issue.record("none began")
      return
    }
    #expect(entries.count == 1 && first == .seconds(40.5))
  }

  @Test("a hit that the room had when it was asked goes on with the recording")
  func early() {
    var machine = TakeMachineTests.quiet()
    guard
      case .write? = machine.take(
        TakeMachineTests.hit(at: .seconds(39.9)), at: TakeMachineTests.time(41)
      ).first
    else {
      Issue.record("it was not written")
      return
    }
    #expect(machine.take(.image(TakeMachineTests.image), at: TakeMachineTests.time(41)).isEmpty)
    #expect(machine.isRecording)
  }

  @Test("who holds a recording that is about to end keeps it")
  func held() {
    var machine = TakeMachineTests.quiet()
    machine.isHeld = true
    #expect(machine.begin(at: .seconds(41)).isEmpty)
    #expect(machine.take(.image(TakeMachineTests.image), at: TakeMachineTests.time(41)).isEmpty)
    #expect(machine.isRecording)
  }
}
