import JamCore
import JamNet
import JamRealtime
import Testing

@testable import JamStream

/// A room with its WebRTC audience, without sockets, threads or a clock of its own.
final class WebRTCStage {
  let tape = HandTape()
  let room: RoomStreams
  let sink = CountingSink()
  let clock = WallClock(offsetNanoseconds: 1_790_000_000_000_000_000)
  let serverContext: DTLSContext
  private(set) var audience: WebRTCAudience! = nil
  private var worker: HandshakeWorker! = nil
  private let outlet = KeptDatagrams()
  var changes: [(id: ListenerID, change: WebRTCAudience.Change)] = []
  var closed = 0
  private var lastNumber: UInt64 = 0
  var now = milliseconds(0)

  init() throws {
    room = RoomStreams(room: "main", tape: tape.tape, anchor: ClockAnchor(origin: HostTime(nanoseconds: 0)))
    serverContext = try DTLSContext()
    worker = HandshakeWorker(
      context: serverContext, send: { [outlet] in outlet.sent.append(($0, $1)) },
      tell: { [unowned self] id, event in
        switch event {
        case .established(let keys): audience.established(id, keys, at: now)
        case .ended(let ending): audience.handshakeEnded(id, ending)
        }
      })
    audience = WebRTCAudience(
      outlet: outlet, clock: clock, name: "bandshell",
      close: { [unowned self] room, stream in
        closed += 1
        room.close(stream, for: sink)
      },
      handshake: { [unowned self] order in
        worker.carryOut(order)
        return true
      }, tell: { [unowned self] in changes.append(($0, $1)) })
  }

  /// What left since the last look.
  func take() -> [(bytes: [UInt8], path: NetworkPath)] {
    defer { outlet.sent = [] }
    return outlet.sent
  }

  /// A listener that has asked, and what it was told.
  func admit(_ browser: TestBrowser, profile: StreamProfile = .webRTC) throws {
    lastNumber += 1
    let request = WebRTCRequest(
      id: ListenerID(number: lastNumber), room: room, stream: try room.open(profile, for: sink), payloadType: 111,
      ssrc: 1_000 + UInt32(lastNumber), credentials: .random(), peerUfrag: browser.ufrag,
      peerFingerprints: [browser.context.fingerprint])
    // The encoder begins where the mix ends.
    self.room.encode()
    browser.request = request
    browser.dtls = try DTLSConnection(browser.context, role: .client, peers: [serverContext.fingerprint])
    audience.install(request, at: now)
  }

  @discardableResult
  func receive(_ bytes: [UInt8], from browser: TestBrowser) -> Bool { receive(bytes, along: browser.path) }

  @discardableResult
  func receive(_ bytes: [UInt8], along path: NetworkPath) -> Bool {
    bytes.withUnsafeBytes { audience.receive($0, along: path, at: now) }
  }

  /// Passes what left to `browser`, and its answers back, until it is quiet. Others' datagrams are lost.
  func exchange(with browser: TestBrowser) {
    for _ in 0..<20 {
      for datagram in browser.takeOutput() { receive(datagram, from: browser) }
      let out = take().filter { $0.path.peer == browser.path.peer }
      guard !out.isEmpty else { return }
      for datagram in out { browser.receive(datagram.bytes) }
    }
  }

  /// A browser that asked, checked, shook hands and hears.
  func listener(_ number: UInt8, profile: StreamProfile = .webRTC, protection: [SRTPProfile] = SRTPProfile.allCases)
    throws
    -> TestBrowser
  {
    let browser = try TestBrowser(number, protection: protection)
    try admit(browser, profile: profile)
    receive(browser.check(isNominating: true), from: browser)
    exchange(with: browser)
    return browser
  }

  /// The mix grows by so many milliseconds, which are sent.
  func play(milliseconds: Double) {
    tape.write(Int(milliseconds * 48), tones)
    room.encode()
    now = now.advanced(byMilliseconds: milliseconds)
    audience.send()
  }
}

/// What an audience sends. Not the stage itself: the stage holds its audience, and the audience its outlet.
private final class KeptDatagrams: DatagramOutlet {
  var sent: [(bytes: [UInt8], path: NetworkPath)] = []

  func put(room: Int, along path: NetworkPath, _ write: (UnsafeMutableRawBufferPointer) -> Int?) {
    var bytes = [UInt8](repeating: 0, count: room)
    guard let count = bytes.withUnsafeMutableBytes(write) else { return }
    sent.append((Array(bytes[..<count]), path))
  }

  func flush() {}
}

/// A browser's side of WebRTC.
final class TestBrowser {
  let path: NetworkPath
  let ufrag = "brow"
  let context: DTLSContext
  var request: WebRTCRequest!
  var dtls: DTLSConnection!
  private(set) var srtp: SRTPSession?
  private(set) var ending: DTLSConnection.Ending?
  /// What was heard, in the order in which it came.
  private(set) var packets: [(header: RTPHeader, payload: [UInt8])] = []
  private(set) var reports: [RTCPPacket] = []
  private(set) var answers: [STUNMessage] = []
  /// Came and could not be opened.
  private(set) var unopened = 0

  init(_ number: UInt8, protection: [SRTPProfile] = SRTPProfile.allCases) throws {
    path = NetworkPath(peer: .ipv4(192, 168, 1, number, port: 50_000), local: .ipv4(192, 168, 1, 1))
    context = try DTLSContext(profiles: protection)
  }

  func check(isNominating: Bool = false, password: String? = nil) -> [UInt8] {
    STUNMessage.write(
      .request, transaction: (0..<12).map { _ in .random(in: 0...255) },
      [
        (STUNMessage.Attribute.username, Array("\(request.credentials.ufrag):\(ufrag)".utf8)),
        (STUNMessage.Attribute.iceControlling, [UInt8](repeating: 1, count: 8)),
      ] + (isNominating ? [(STUNMessage.Attribute.useCandidate, [])] : []),
      password: password ?? request.credentials.password)
  }

  /// DTLS of ours.
  func takeOutput() -> [[UInt8]] {
    take(dtls.tick())
    return dtls.takeOutput()
  }

  func receive(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { raw in
      switch raw.first ?? 0 {
      case 0...3: STUNMessage(raw).map { answers.append($0) }
      case 20...63: take(dtls.receive(raw))
      default: receiveMedia(raw)
      }
    }
  }

  private func receiveMedia(_ raw: UnsafeRawBufferPointer) {
    if (192...223).contains(raw[1]) {
      guard let report = srtp?.openReport(raw) else { return unopened += 1 }
      reports += report.withUnsafeBytes { RTCPPacket.compound($0) } ?? []
    } else {
      guard let packet = srtp?.open(raw) else { return unopened += 1 }
      packet.withUnsafeBytes { bytes in
        RTPPacket(bytes).map { packets.append(($0.header, Array($0.payload))) }
      }
    }
  }

  private func take(_ event: DTLSConnection.Event?) {
    switch event {
    case .established(let keys): srtp = try? SRTPSession(keys)
    case .ended(let reason): ending = reason
    case nil: break
    }
  }

  /// Asks for packets again, protected.
  func missing(_ numbers: [UInt16], isReduced: Bool = false) -> [UInt8] {
    var compound = RTCPCompound(receiverReport: [], ssrc: 7, name: "browser")
    let start = compound.bytes.count
    compound.append(missing: numbers, of: request.ssrc, from: 7)
    return srtp?.protectReport(isReduced ? Array(compound.bytes[start...]) : compound.bytes) ?? []
  }

  func report(_ block: RTCPPacket.ReportBlock) -> [UInt8] {
    srtp?.protectReport(RTCPCompound(receiverReport: [block], ssrc: 7, name: "browser").bytes) ?? []
  }

  func forget() {
    packets = []
    reports = []
  }
}
