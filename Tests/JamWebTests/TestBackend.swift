import Dispatch
import JamCore
import JamNet
import JamRealtime
import JamRoom
import JamStream
import JamWire
import NIOCore
import Synchronization

@testable import JamWeb

/// A backend whose rooms only say what the test told them, with real streams.
final class TestBackend: WebBackend {
  let rooms: [String: TestRoom]
  let figures: [Metric]
  let hosts: [String]
  let media: MediaServer
  let clockReport: ClockReport

  init(
    rooms: [TestRoom] = [TestRoom()], figures: [Metric] = [], hosts: [String] = ["192.168.1.20"],
    clock: ClockReport = ClockReport()
  ) throws {
    clockReport = clock
    self.rooms = Dictionary(uniqueKeysWithValues: rooms.map { ($0.name, $0) })
    self.figures = figures
    self.hosts = hosts
    media = MediaServer(sockets: [try DatagramSocket(binding: .loopback(port: 0))])
  }

  func room(named name: String?) -> (any WebRoom)? { rooms[name ?? "main"] }
  let name = "Bandshell on studio"
  var oscAddress: OSCAddressInfo { OSCAddressInfo(port: 8000, hosts: hosts) }
  var pageHosts: [String] { hosts }
  func metrics() -> [Metric] { figures }

  /// The questions about the tree, in their order.
  let questions = Mutex<[TreeQuestion]>([])

  /// Answers from a view that holds a tempo alone.
  func answer(_ question: TreeQuestion, _ answered: @escaping @Sendable (QueryAnswer?) -> Void) {
    questions.withLock { $0.append(question) }
    let view = QueryView(asker: .anybody, [OSCMessage("/tempo", .float(120))])
    answered(QueryTree.standard.answer(path: question.path, wish: question.wish, view: view, style: question.style))
  }

  /// Who came for control; each gets back what it sends, as it came.
  let callers = Mutex<[ControlCaller]>([])

  func takeControl(_ channel: any Channel, of caller: ControlCaller) {
    callers.withLock { $0.append(caller) }
    try? channel.pipeline.syncOperations.addHandler(Echo())
  }

  private final class Echo: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    func channelRead(context: ChannelHandlerContext, data: NIOAny) { context.writeAndFlush(data, promise: nil) }
  }
}

final class TestRoom: WebRoom {
  let name: String
  let password: String?
  let players: [PlayerStatus]
  /// Those who have left, and play on.
  private let left: [PlayerStatus]
  let fanout = PageFanout()
  let streams: RoomStreams
  let ogg: OggMount
  private let memory: MixTapeOwner
  let projects: (any WebProjects)? = nil
  let takes: (any WebTakes)?
  let library: (any WebLibrary)? = nil
  private let answersAtOnce: Bool
  /// The players who are in, behind a closed door; nil is an open one.
  private let admitted: [String]?

  /// - Parameter answersAtOnce: uploads are answered on the thread that brings them: a hand-driven event loop takes nothing
  ///   from another thread.
  init(
    name: String = "main", password: String? = nil, players: [PlayerStatus] = [], left: [PlayerStatus] = [],
    limits: Limits = .standard, answersAtOnce: Bool = false, takes: (any WebTakes)? = nil, admitted: [String]? = nil
  ) {
    self.left = left
    self.admitted = admitted
    self.takes = takes
    self.answersAtOnce = answersAtOnce
    self.name = name
    self.password = password
    self.players = players
    memory = MixTapeOwner(seconds: 10)
    streams = RoomStreams(
      room: name, tape: memory.tape, anchor: ClockAnchor(origin: HostTime(nanoseconds: 0)), limits: limits)
    ogg = OggMount(room: streams, fanout: fanout)
  }

  var tape: MixTape { memory.tape }
  var isPasswordProtected: Bool { password != nil }
  func admits(password: String) -> Bool { self.password == nil || self.password == password }
  func isRightToken(_ token: String, of player: String) -> Bool? {
    players.contains { $0.name == player } ? token == "token-\(player)" : nil
  }
  func mayBring(player: String?, token: String) -> Bool {
    guard let admitted else { return true }
    return player.map { admitted.contains($0) && token == "token-\($0)" } ?? false
  }
  /// Every player's token is “token-” and its name.
  func cueOwner(player: String, token: String) throws(StreamError) -> CueOwner {
    guard let name = PlayerName(player), players.contains(where: { $0.name == player }) else { throw .player(player) }
    guard token == "token-\(player)" else { throw .token(player: player) }
    return CueOwner(name: name, token: token)
  }
  var status: RoomStatus {
    var status = RoomStatus(players: players, bpm: 120, bar: 3, beat: 2, phase: 0.5, age: 12.5, listeners: 4)
    status.left = left
    return status
  }

  var kits: [KitLook] {
    [
      KitLook(
        id: "starter", name: "Starter <1>", colours: ["#ff5a36", "#2b2d6e"], pads: [1, 3],
        categories: ["kick", "", "bass"],
        keys: [PadKey(pad: 3, note: 9, transpose: -2)])
    ]
  }

  func pads(of player: String, then call: @escaping @Sendable (PlayerPads?) -> Void) {
    let known = players.first { $0.name == player }
    call(
      known.map {
        PlayerPads(kit: "starter", names: ["\(player)'s kick"], isHost: $0.isHost)
      })
  }

  func waveforms(ofKit kit: String, then call: @escaping @Sendable ([WaveformFacts?]?) -> Void) {
    call(kit == "starter" ? [WaveformFacts(seconds: 0.5, peaks: [0, 255, 9]), nil] : nil)
  }

  func waveform(of sound: String, parts: Int, then call: @escaping @Sendable (WaveformFacts?) -> Void) {
    DispatchQueue.global().async {
      call(sound == "starter/1" ? WaveformFacts(seconds: 0.5, peaks: [0, 255, 128]) : nil)
    }
  }

  func sounds(
    of player: String, token: String, for sender: String,
    then call: @escaping @Sendable (Result<PlayerSounds, PlaySoundProblem>) -> Void
  ) {
    do throws(StreamError) {
      _ = try cueOwner(player: player, token: token)
    } catch {
      return call(.failure(.player(error)))
    }
    let part = PlayerSounds.Part(name: TestRoom.kick, frames: 4_800, channels: 1, loop: nil, endsLoud: false)
    let layer = PlayerSounds.Layer(upTo: 1, gain: 0.5, sounds: [0])
    let pad = PlayerSounds.Place(pad: 1, sample: "starter/1", stretch: 1, layers: [layer])
    DispatchQueue.global().async {
      call(.success(PlayerSounds(kit: "starter", pads: [pad], instrument: "marimba", sounds: [part])))
    }
  }

  /// The name of the only sound.
  static let kick = String(repeating: "0a", count: 32)

  func soundFile(
    _ name: String, _ form: PageSounds.Form, for sender: String,
    then call: @escaping @Sendable (Result<[UInt8], PlaySoundProblem>) -> Void
  ) {
    DispatchQueue.global().async {
      call(name == TestRoom.kick ? .success([1, 2, 3]) : .failure(.sound(name == "busy" ? .busy : .noSuchSound)))
    }
  }

  /// What came up, in order.
  let uploads = Mutex<[(name: String, bytes: [UInt8], owner: UploadOwner?)]>([])

  func upload(
    _ file: [UInt8], name: String, owner: UploadOwner?, from sender: String,
    then call: @escaping @Sendable (Result<UploadedSound, UploadProblem>) -> Void
  ) {
    uploads.withLock { $0.append((name, file, owner)) }
    let answer: @Sendable () -> Void = {
      guard name != "noise" else {
        return call(.failure(UploadProblem(.notSound, .soundUnreadable("noise: is not a sound file"))))
      }
      call(.success(UploadedSound(id: "own/1", name: name, category: "kick", seconds: 0.5, notes: ["turned down"])))
    }
    if answersAtOnce { answer() } else { DispatchQueue.global().async(execute: answer) }
  }

  /// Plays so many buffers of a constant: 0.5 left, −0.5 right.
  func play(buffers: Int) {
    for _ in 0..<buffers {
      for i in 0..<Int(Frames.perBuffer) {
        tape.nextMix[i * 2] = 0.5
        tape.nextMix[i * 2 + 1] = -0.5
        tape.nextClick[i] = 0
      }
      tape.commitBuffer()
    }
  }
}
