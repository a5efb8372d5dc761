import JamCore
import JamRealtime
import Testing

@testable import JamRoom

/// Guests who pause, and names that nobody has.
@Suite struct GuestTests {
  private let pad = Pad(3)!
  private let guest = PlayerName("guest-10.0.0.7")!
  private let two = Fixture.kit("two")

  private func stage() -> Stage { Stage(Fixture.state(kits: [Fixture.kit("one"), two])) }

  private func visitor(_ address: String = "10.0.0.7", _ presence: Presence = .proven) -> Visitor {
    Visitor(address: SourceAddress(address), presence: presence)
  }

  private func come(
    _ stage: inout Stage, _ name: PlayerName? = nil, from visitor: Visitor, at frame: Int64
  ) throws -> (PlayerID, Outcome) {
    _ = stage.state.takeEffects()
    let id = try stage.state.join(
      name ?? guest, token: "\(frame)", isGuest: true, from: visitor, at: Moment(arrival: Frames(frame)))
    return (id, Outcome(stage.state.takeEffects()))
  }

  @Test("a guest who fell silent finds its kit, its pads and its gain again, for a day, and the log has them")
  func pause() throws {
    var stage = stage()
    let (first, _) = try come(&stage, from: visitor(), at: 0)
    stage.step(.chooseKit(.id("two")), by: first, at: 10)
    _ = stage.state.takeEffects()
    stage.state.kitArrived(two, at: Frames(20))
    stage.step(.set(.pad(.gain, pad), .float(-7)), by: first, at: 30)
    stage.step(.set(.gain, .float(-3)), by: first, at: 40)
    stage.step(.set(.quantize, .text("1/16")), by: first, at: 50)
    stage.step(.strike(pad, Strike(64, isInteger: true)!), by: first, at: 60)
    stage.step(.set(.mute, .bool(true)), by: first, at: 70)
    stage.step(.leave, by: first, at: 100)
    let day = Frames.seconds(86_400).count
    let (again, came) = try come(&stage, from: visitor(), at: day - 1)
    _ = stage.state.takeEffects()
    stage.state.kitArrived(two, at: Frames(day))
    let player = try #require(stage.state[again])
    #expect(player.hands.kitID == "two")
    #expect(player.hands.pads[pad.index].settings.gain == -7)
    #expect(player.channel.gain == -3 && player.hands.quantize == .sixteenth)
    #expect(player.hands.velocityScale.full == 127)
    #expect(!player.channel.isMuted)
    let logged = (came.log + Outcome(stage.state.takeEffects()).log).map(\.action)
    for command in [
      .set(.gain, .float(-3)), .set(.quantize, .text("1/16")), .chooseKit(.id("two")),
      .set(.pad(.gain, pad), .float(-7)),
    ] as [Command] {
      #expect(logged.contains(.command(command)), "\(command)")
    }
    // It finds what it left, and takes back none of it.
    #expect(stage.step(.undo, by: again, at: day + 10).refusal == .nothingToUndo)
  }

  @Test("after a day, from another address, over a connection, or after /bye there is nothing")
  func others() throws {
    for way in 0..<4 {
      var stage = stage()
      let (first, _) = try come(&stage, from: visitor(), at: 0)
      stage.step(.set(.gain, .float(-3)), by: first, at: 10)
      if way == 3 { stage.state.roster.forgetGuest(first) }
      stage.step(.leave, by: first, at: 100)
      let visitors = [visitor(), visitor("10.0.0.8"), visitor("10.0.0.7", .connected), visitor()]
      let frame = way == 0 ? Frames.seconds(86_401).count : 200
      let (again, _) = try come(&stage, from: visitors[way], at: frame)
      #expect(stage.state[again]?.channel.gain == 0, "\(way)")
    }
  }

  @Test("a kicked guest finds nothing, and what many forge leaves what is proven") func bounds() throws {
    var stage = stage()
    let host = try stage.join("host", isHost: true)
    let (kicked, _) = try come(&stage, PlayerName("guest-10.0.0.9")!, from: visitor("10.0.0.9"), at: 0)
    stage.step(.set(.gain, .float(-3)), by: kicked, at: 10)
    stage.step(.kick(PlayerName("guest-10.0.0.9")!, seconds: 2), by: host, at: 20)
    let (first, _) = try come(&stage, from: visitor(), at: 30)
    stage.step(.set(.gain, .float(-3)), by: first, at: 40)
    stage.step(.leave, by: first, at: 50)
    for number in 0..<300 {
      let frame = 1_000 + Int64(number) * 10
      let address = "10.1.\(number / 256).\(number % 256)"
      let (forged, _) = try come(
        &stage, PlayerName("guest-\(address)")!, from: visitor(address, .unproven), at: frame)
      stage.step(.set(.gain, .float(-20)), by: forged, at: frame)
      stage.step(.leave, by: forged, at: frame)
    }
    #expect(stage.state.roster.guestMemory.entries.count == stage.state.limits.rememberedGuests)
    let (again, _) = try come(&stage, from: visitor(), at: 10_000)
    #expect(stage.state[again]?.channel.gain == -3)
    let (late, _) = try come(
      &stage, PlayerName("guest-10.0.0.9")!, from: visitor("10.0.0.9"), at: Frames.seconds(10).count)
    #expect(stage.state[late]?.channel.gain == 0)
  }

  @Test("nobody is called as the mix is, whoever comes in or is renamed; a score keeps its names") func mixName() throws
  {
    var stage = stage()
    for (wanted, name) in [("master", "master-2"), ("Master", "Master-2"), ("masters", "masters")] {
      let id = try stage.join(wanted)
      #expect(stage.state[id]?.name.text == name)
    }
    let ann = try stage.join("ann")
    _ = stage.state.takeEffects()
    stage.state.rename(ann, to: PlayerName("master")!, at: Moment(arrival: Frames(10)))
    #expect(stage.state[ann]?.name.text == "master-3")
    var score = RoomState(
      name: PlayerName("score")!, kits: [Fixture.kit("one").kit], firstKit: Fixture.kit("one"),
      anchor: ClockAnchor(origin: HostTime(nanoseconds: 0)), hostWord: "", reservedNames: [])
    let old = try score.join(PlayerName("master")!, token: "", at: Moment(arrival: .zero))
    #expect(score[old]?.name.text == "master")
  }
}
