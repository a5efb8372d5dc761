internal import CAvahi
internal import JamCore
internal import JamNet
internal import JamRealtime
internal import Synchronization

/// Announces services by Avahi's daemon: waits for it where it does not run, comes back when it
/// does, and takes another name where the name is in use.
///
/// Thread: start and stop from one. Everything of Avahi happens on a thread of its own, because a
/// call of the library waits for the daemon.
final class AvahiAnnouncer: @unchecked Sendable {
  // Unchecked: only the announcer's thread uses what is not constant.
  private let announcement: BonjourAnnouncement
  private let tell: @Sendable (BonjourNews) -> Void
  /// Called with true before the first service is registered, and with false where the daemon does
  /// not answer.
  private let presence: @Sendable (Bool) -> Void
  private let thread = RealtimeThread(name: "bandshell-avahi")
  private let isStopping = Atomic(false)
  private let poll: OpaquePointer?
  private let ended = WakeSignal()
  /// The ticket of `ended` while the thread runs.
  private let beginning: UInt32

  private var client: OpaquePointer?
  private var group: OpaquePointer?
  private var clientState = AVAHI_CLIENT_CONNECTING
  private var groupState = AVAHI_ENTRY_GROUP_UNCOMMITED
  private var name: String
  private var absence: Absence
  private var nextTry = HostTime(nanoseconds: 0)
  private var isRefused = false

  /// The state of the daemon, as far as `presence` was called.
  private enum Absence: Equatable {
    /// It is away; from the moment on it counts as absent.
    case waited(until: HostTime)
    case told
    case isThere
  }

  /// How long a daemon that is started again may take.
  private static let restartMilliseconds = 3_000.0
  /// The time between two tries to reach the system's bus.
  private static let retryMilliseconds = 2_000.0
  /// How long the end waits for a daemon that does not answer.
  private static let endMilliseconds = 1_000.0
  private static let mostNames = 100

  init(
    _ announcement: BonjourAnnouncement, tell: @escaping @Sendable (BonjourNews) -> Void,
    presence: @escaping @Sendable (Bool) -> Void
  ) {
    self.announcement = announcement
    self.tell = tell
    self.presence = presence
    name = announcement.name
    poll = avahi_simple_poll_new()
    absence = .waited(until: HostTime(nanoseconds: 0))
    beginning = ended.ticket
  }

  deinit { if let poll { avahi_simple_poll_free(poll) } }

  func start() {
    guard case .refused = thread.launch(niceness: 5, { [self] in run() }) else { return }
    presence(false)
    // No thread runs that the end would wait for.
    ended.raise()
  }

  /// Takes the services back, and ends the thread. A daemon that does not answer is not waited for.
  func stop() {
    guard !isStopping.exchange(true, ordering: .acquiringAndReleasing) else { return }
    if let poll { avahi_simple_poll_wakeup(poll) }
    ended.wait(since: beginning, atMostMilliseconds: AvahiAnnouncer.endMilliseconds)
    if ended.ticket == beginning { thread.detach() } else { thread.join() }
  }

  private func run() {
    guard let poll else {
      presence(false)
      return ended.raise()
    }
    while !isStopping.load(ordering: .acquiring) {
      connect(poll)
      follow()
      noteAbsence()
      // A closed socket of the bus is seen by the client's state, so an error here is a signal.
      _ = avahi_simple_poll_iterate(poll, 500)
    }
    // The daemon says goodbye for a client that leaves.
    disconnect()
    ended.raise()
  }

  // MARK: The daemon

  private func connect(_ poll: OpaquePointer) {
    guard client == nil, HostTime.now >= nextTry else { return }
    nextTry = HostTime.now.advanced(byMilliseconds: AvahiAnnouncer.retryMilliseconds)
    clientState = AVAHI_CLIENT_CONNECTING
    var code: Int32 = 0
    client = avahi_client_new(
      avahi_simple_poll_get(poll), AVAHI_CLIENT_NO_FAIL,
      { _, state, context in
        guard let context else { return }
        Unmanaged<AvahiAnnouncer>.fromOpaque(context).takeUnretainedValue().clientState = state
      }, Unmanaged.passUnretained(self).toOpaque(), &code)
  }

  private func disconnect() {
    if let group { avahi_entry_group_free(group) }
    if let client { avahi_client_free(client) }
    group = nil
    client = nil
    name = announcement.name
  }

  /// Does what the daemon's last news ask for. The callbacks themselves only take the news down,
  /// because a client must not be freed in its own callback.
  private func follow() {
    guard client != nil else { return }
    switch clientState {
    case AVAHI_CLIENT_S_RUNNING: followGroup()
    case AVAHI_CLIENT_FAILURE:
      // The daemon or the bus is gone. A new client waits for it.
      disconnect()
      nextTry = HostTime.now
    case AVAHI_CLIENT_CONNECTING: break
    default:
      // The daemon takes another name for the machine: the services come back after that.
      if let group { avahi_entry_group_reset(group) }
      groupState = AVAHI_ENTRY_GROUP_UNCOMMITED
    }
  }

  private func noteAbsence() {
    let isThere =
      client != nil && clientState != AVAHI_CLIENT_CONNECTING && clientState != AVAHI_CLIENT_FAILURE
    switch absence {
    case .isThere where !isThere:
      absence = .waited(
        until: HostTime.now.advanced(byMilliseconds: AvahiAnnouncer.restartMilliseconds))
    case .waited(let until) where !isThere && HostTime.now >= until:
      absence = .told
      presence(false)
    default: break
    }
  }

  // MARK: The services

  private func followGroup() {
    if absence != .isThere {
      absence = .isThere
      groupState = AVAHI_ENTRY_GROUP_UNCOMMITED
      presence(true)
    }
    guard let group = group ?? makeGroup() else { return }
    switch groupState {
    case AVAHI_ENTRY_GROUP_UNCOMMITED: register(group)
    case AVAHI_ENTRY_GROUP_COLLISION:
      rename()
      register(group)
    case AVAHI_ENTRY_GROUP_FAILURE:
      guard HostTime.now >= nextTry else { return }
      register(group)
    default: break
    }
  }

  private func makeGroup() -> OpaquePointer? {
    group = avahi_entry_group_new(
      client,
      { _, state, context in
        guard let context else { return }
        Unmanaged<AvahiAnnouncer>.fromOpaque(context).takeUnretainedValue().groupIs(state)
      }, Unmanaged.passUnretained(self).toOpaque())
    return group
  }

  private func groupIs(_ state: AvahiEntryGroupState) {
    groupState = state
    guard state == AVAHI_ENTRY_GROUP_ESTABLISHED else { return }
    isRefused = false
    tell(.announced(name: name, by: .avahi))
  }

  private func register(_ group: OpaquePointer) {
    nextTry = HostTime.now.advanced(byMilliseconds: AvahiAnnouncer.retryMilliseconds)
    for _ in 0..<AvahiAnnouncer.mostNames {
      avahi_entry_group_reset(group)
      let result = add(to: group)
      if result == AVAHI_ERR_COLLISION {
        // Another program of this machine has the name.
        rename()
      } else if result == AVAHI_OK {
        // Avahi takes no empty group. A server that no network reaches has one.
        groupState = AVAHI_ENTRY_GROUP_REGISTERING
        if avahi_entry_group_is_empty(group) != 0 { return }
        if avahi_entry_group_commit(group) == AVAHI_OK { return }
        break
      } else {
        break
      }
    }
    groupState = AVAHI_ENTRY_GROUP_FAILURE
    tellRefusal()
  }

  /// A daemon may be told to publish nothing. It is asked again, and that is said once.
  private func tellRefusal() {
    guard !isRefused, let client else { return }
    isRefused = true
    let reason = avahi_strerror(avahi_client_errno(client)).map { String(cString: $0) }
    tell(.silent("Avahi refuses it (\(reason ?? "without a reason"))"))
  }

  private func rename() {
    guard let other = avahi_alternative_service_name(name) else { return }
    name = String(cString: other)
    avahi_free(other)
  }

  private func add(to group: OpaquePointer) -> Int32 {
    let links = (try? AttachedNetworks.current()).map(MDNSLinkShape.all) ?? []
    for service in announcement.services {
      guard let interface = AvahiAnnouncer.interface(of: service, on: links) else { continue }
      let result = service.text.withStringList { list in
        avahi_entry_group_add_service_strlst(
          group, interface, AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(rawValue: 0), name,
          service.type,
          nil, nil, service.port, list)
      }
      guard result == AVAHI_OK else { return result }
    }
    return Int32(AVAHI_OK)
  }

  /// The interface on which a service is announced; nil where it is reached by none.
  static func interface(of service: BonjourService, on links: [MDNSLinkShape]) -> AvahiIfIndex? {
    guard let place = service.place, !place.isAny else { return AvahiIfIndex(AVAHI_IF_UNSPEC) }
    let link = links.first { $0.interfaces.contains { service.isReached(by: $0.address) } }
    return link.map { AvahiIfIndex(truncatingIfNeeded: $0.link.interface) }
  }
}

extension DNSText {
  /// The strings as Avahi takes them, during the call.
  fileprivate func withStringList<Result>(
    _ body: (UnsafeMutablePointer<AvahiStringList>?) -> Result
  ) -> Result {
    var list: UnsafeMutablePointer<AvahiStringList>?
    // Avahi's lists grow at their front.
    for string in strings.reversed() {
      list = avahi_string_list_add_arbitrary(list, string, string.count)
    }
    defer { avahi_string_list_free(list) }
    return body(list)
  }
}
