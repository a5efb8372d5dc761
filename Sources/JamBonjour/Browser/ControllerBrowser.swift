package import JamCore
package import JamNet

/// Finds the controllers that announce themselves: instances of `_osc._udp` on the attached
/// networks.
///
/// It asks for the instances, less and less often, because those that come later tell by
/// themselves. It asks for the port and the addresses of each, and again before they are over. Its
/// memory is bounded, whatever comes.
/// Thread: one at a time.
/// - Source: RFC 6762 §5.2, §6, §10; RFC 6763 §4.
package struct ControllerBrowser: MDNSMachine {
  private static let type = DNSName("_osc._udp.local") ?? .root
  /// The keys in the text of our own services. Two servers must not play each other's lights.
  static let ownKeys = ["room", "path"]

  private var links: [MDNSLinkShape] = []
  var instances: [DNSName: FoundService] = [:]
  var hosts: [DNSName: FoundHost] = [:]
  private var outgoing: [MDNSOutgoing] = []
  private var nextBrowse: HostTime?
  private var pauseMilliseconds = firstPauseMilliseconds

  static let firstPauseMilliseconds = 1_000.0
  static let longestPauseMilliseconds = 600_000.0
  /// A goodbye holds for a second, because somebody else may still say otherwise.
  static let goodbyeMilliseconds = 1_000.0
  /// A day. A longer lifetime would only keep what is gone.
  private static let mostLifetime = 86_400.0
  /// The known instances that a question names, so that they need not answer.
  private static let mostKnownAnswers = 32

  /// Whether something was learnt since the list was told last.
  private var isChanged = false
  private var toldControllers: [FoundController] = []
  private let tell: @Sendable ([FoundController]) -> Void

  /// - Parameter tell: gets the controllers whenever they change.
  package init(tell: @escaping @Sendable ([FoundController]) -> Void = { _ in }) {
    self.tell = tell
  }

  // MARK: Found controllers

  /// The controllers, by their names. Each has a port and an address on a network that it shares
  /// with this machine.
  package var controllers: [FoundController] {
    var names: Set<String> = []
    var found: [FoundController] = []
    for (instance, known) in instances.sorted(by: { $0.key.description < $1.key.description }) {
      guard known.isStranger, let service = known.service?.value, service.port > 0,
        let host = hosts[service.host], !host.addresses.isEmpty
      else { continue }
      let name = ControllerBrowser.shown(instance.labels.first ?? "")
      guard !name.isEmpty, names.insert(name).inserted else { continue }
      let addresses = host.addresses.map { $0.fact.value.with(port: service.port) }
      found.append(
        FoundController(
          name: name, addresses: addresses.filter(\.isIPv4) + addresses.filter { !$0.isIPv4 }))
    }
    return Array(found.prefix(FoundController.most))
  }

  /// A name as people may see it, without characters that a terminal or a log obeys.
  static func shown(_ label: String) -> String {
    let kept = label.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
      .map { scalar -> Character in
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned,
          .format:
          " "
        default: Character(scalar)
        }
      }
    return String(kept).split(separator: " ").joined(separator: " ")
  }

  // MARK: MDNSMachine

  package mutating func use(_ links: [MDNSLinkShape], at now: HostTime) {
    // A station that cannot join a link tries again and again, and tells the same links each time.
    guard links != self.links else { return }
    let gone = Set(self.links.map(\.link)).subtracting(links.map(\.link))
    self.links = links
    for name in hosts.keys { hosts[name]?.addresses.removeAll { gone.contains($0.link) } }
    // Somebody may be on the new network.
    pauseMilliseconds = ControllerBrowser.firstPauseMilliseconds
    nextBrowse = links.isEmpty ? nil : now
    isChanged = true
  }

  package mutating func receive(_ message: DNSMessage, from source: MDNSSource, at now: HostTime) {
    // An answer from another port or another network is none (RFC 6762 §6 and §11).
    guard message.isResponse, source.peer.port == MDNSSource.port,
      let link = links.first(where: { $0.link == source.link }), link.isNeighbour(source.peer)
    else { return }
    isChanged = true
    let records = message.answers + message.additionals
    // In this order, because each step needs what the one before has told.
    for record in records { take(pointer: record, at: now) }
    for record in records { take(service: record, at: now) }
    for record in records where record.isUnique { flush(record, on: link.link, at: now) }
    for record in records { take(address: record, on: link, at: now) }
    forgetHosts()
  }

  package mutating func advance(to now: HostTime) {
    expire(at: now)
    tellChanges()
    guard !links.isEmpty else { return }
    var questions: [DNSQuestion] = []
    if let due = nextBrowse, due <= now {
      ask([DNSQuestion(Self.type, .pointer)], knowing: knownPointers(at: now))
      nextBrowse = now.advanced(byMilliseconds: pauseMilliseconds)
      pauseMilliseconds = min(pauseMilliseconds * 3, ControllerBrowser.longestPauseMilliseconds)
    }
    for name in instances.keys { questions += questionsAbout(name, at: now) }
    for name in hosts.keys { questions += questionsAbout(host: name, at: now) }
    var asked: Set<DNSQuestion> = []
    ask(questions.filter { asked.insert($0).inserted }, knowing: [])
  }

  package var nextDue: HostTime? {
    guard !links.isEmpty else { return nil }
    var next = nextBrowse
    func isDue(_ time: HostTime?) { if let time { next = next.map { min($0, time) } ?? time } }
    for known in instances.values {
      isDue(known.ends)
      isDue(known.service?.ends)
      isDue(known.service?.nextAsk)
      if needsMore(known) { isDue(known.nextTry) }
    }
    for address in hosts.values.flatMap(\.addresses) {
      isDue(address.fact.ends)
      isDue(address.fact.nextAsk)
    }
    return next
  }

  /// A browser owns no names, so it says no goodbye.
  package mutating func close(at now: HostTime) {
    links = []
    outgoing = []
  }

  package mutating func takeOutgoing() -> [MDNSOutgoing] {
    defer { outgoing = [] }
    return outgoing
  }

  private mutating func tellChanges() {
    guard isChanged else { return }
    isChanged = false
    let now = controllers
    guard now != toldControllers else { return }
    toldControllers = now
    tell(now)
  }

  // MARK: Records

  /// The time for which a record holds, in milliseconds.
  private func lifetime(of record: DNSRecord) -> Double {
    record.lifetime == 0
      ? ControllerBrowser.goodbyeMilliseconds
      : min(Double(record.lifetime), ControllerBrowser.mostLifetime) * 1_000
  }

  private mutating func take(pointer record: DNSRecord, at now: HostTime) {
    guard record.name == Self.type, case .pointer(let name) = record.data, name.parent == Self.type
    else { return }
    let ends = now.advanced(byMilliseconds: lifetime(of: record))
    guard var known = instances[name] else {
      guard record.lifetime > 0, instances.count < FoundController.most else { return }
      instances[name] = FoundService(ends: ends, nextTry: now)
      return
    }
    known.ends = ends
    if known.tries >= FoundService.mostTries { known.tries = 0 }
    instances[name] = known
  }

  private mutating func take(service record: DNSRecord, at now: HostTime) {
    guard instances[record.name] != nil else { return }
    switch record.data {
    case .service(let service):
      if instances[record.name]?.service?.value != service { instances[record.name]?.tries = 0 }
      let lifetime = lifetime(of: record)
      instances[record.name]?.service = FoundService.Fact(
        value: service, lifetime: lifetime, came: now)
      if hosts[service.host] == nil { hosts[service.host] = FoundHost() }
    case .text(let text):
      instances[record.name]?.isOwnKind = ControllerBrowser.ownKeys.allSatisfy { text[$0] != nil }
    default: break
    }
  }

  /// A record of its host alone replaces those that came before.
  private mutating func flush(_ record: DNSRecord, on link: MDNSLink, at now: HostTime) {
    guard case .address(let address) = record.data, hosts[record.name] != nil else { return }
    // Those of the last second may belong to the same answer (RFC 6762 §10.2).
    hosts[record.name]?.addresses.removeAll {
      $0.link == link && $0.fact.value.isIPv4 == address.isIPv4
        && now.milliseconds(since: $0.fact.came) > ControllerBrowser.goodbyeMilliseconds
    }
  }

  private mutating func take(address record: DNSRecord, on link: MDNSLinkShape, at now: HostTime) {
    guard case .address(let told) = record.data, var host = hosts[record.name] else { return }
    let address =
      told.isIPv6 && told.isLinkLocal
      ? .ipv6(told.bytes, scope: link.link.interface)
      : told
    // Nobody sends lights to another network by saying that a controller is there.
    let isNear = link.interfaces.contains {
      $0.prefixLength > 0 && $0.address.shares(prefix: $0.prefixLength, with: address)
    }
    guard isNear || address.isIPv6 && address.isLinkLocal else { return }
    let fact = FoundService.Fact(value: address.host, lifetime: lifetime(of: record), came: now)
    host.addresses.removeAll { $0.fact.value == address.host }
    if host.addresses.count < FoundHost.mostAddresses { host.addresses.append((fact, link.link)) }
    hosts[record.name] = host
  }

  /// Hosts without an instance are forgotten.
  private mutating func forgetHosts() {
    let needed = Set(instances.values.compactMap { $0.service?.value.host })
    hosts = hosts.filter { needed.contains($0.key) }
  }

  private mutating func expire(at now: HostTime) {
    guard let next = nextEnd, next <= now else { return }
    isChanged = true
    instances = instances.filter { $0.value.ends > now }
    for (name, known) in instances {
      guard let service = known.service, service.ends <= now else { continue }
      instances[name]?.service = nil
    }
    for (name, host) in hosts where host.addresses.contains(where: { $0.fact.ends <= now }) {
      hosts[name]?.addresses.removeAll { $0.fact.ends <= now }
    }
    forgetHosts()
  }

  /// When the first fact is over.
  private var nextEnd: HostTime? {
    let ends = instances.values.flatMap { [$0.ends, $0.service?.ends].compactMap { $0 } }
    return (ends + hosts.values.flatMap { $0.addresses.map(\.fact.ends) }).min()
  }

  // MARK: Questions

  /// Whether something of the instance is still unknown.
  private func needsMore(_ known: FoundService) -> Bool {
    guard known.tries < FoundService.mostTries else { return false }
    guard known.isOwnKind != true else { return false }
    guard known.isOwnKind != nil, let service = known.service else { return true }
    return hosts[service.value.host]?.addresses.isEmpty ?? true
  }

  private mutating func questionsAbout(_ name: DNSName, at now: HostTime) -> [DNSQuestion] {
    guard var known = instances[name] else { return [] }
    var questions: [DNSQuestion] = []
    if needsMore(known), known.nextTry <= now {
      if known.service == nil { questions.append(DNSQuestion(name, .service)) }
      if known.isOwnKind == nil { questions.append(DNSQuestion(name, .text)) }
      if let host = known.service?.value.host, hosts[host]?.addresses.isEmpty ?? true {
        questions += [DNSQuestion(host, .a), DNSQuestion(host, .aaaa)]
      }
      // A second, two, four, eight.
      known.nextTry = now.advanced(byMilliseconds: 1_000 * Double(1 << min(known.tries, 4)))
      known.tries += 1
    }
    if let next = known.service?.nextAsk, next <= now {
      questions.append(DNSQuestion(name, .service))
      known.service?.asked += 1
    }
    instances[name] = known
    return questions
  }

  private mutating func questionsAbout(host name: DNSName, at now: HostTime) -> [DNSQuestion] {
    guard var host = hosts[name] else { return [] }
    var questions: [DNSQuestion] = []
    for place in host.addresses.indices {
      guard let next = host.addresses[place].fact.nextAsk, next <= now else { continue }
      host.addresses[place].fact.asked += 1
      questions.append(DNSQuestion(name, host.addresses[place].fact.value.isIPv4 ? .a : .aaaa))
    }
    hosts[name] = host
    return questions
  }

  private func knownPointers(at now: HostTime) -> [DNSRecord] {
    // Those that will be over soon are not named, so that they are told again.
    let fresh = instances.filter { now.milliseconds(since: $0.value.ends) < -2 * longestAsk }
    return fresh.keys.prefix(ControllerBrowser.mostKnownAnswers).map { name in
      let left = -now.milliseconds(since: instances[name]?.ends ?? now) / 1_000
      return DNSRecord(
        Self.type, .pointer(name), lifetime: UInt32(clamping: Int(saturating: left)),
        isUnique: false)
    }
  }

  /// The pause until the next question for instances, in milliseconds.
  private var longestAsk: Double { pauseMilliseconds }

  private mutating func ask(_ questions: [DNSQuestion], knowing known: [DNSRecord]) {
    guard !questions.isEmpty else { return }
    var message = DNSMessage(isResponse: false)
    message.questions = Array(questions.prefix(ControllerBrowser.mostQuestions))
    message.answers = known
    for link in links { outgoing.append(MDNSOutgoing(message, on: link.link)) }
  }

  /// The questions of one message; more wait for their next turn.
  private static let mostQuestions = 32
}
