internal import JamCore
internal import JamNet

/// Answers to questions.
extension MDNSResponder {
  mutating func answer(
    _ message: DNSMessage, from source: MDNSSource, _ index: Int, at now: HostTime
  ) {
    if links[index].isProbing {
      if !message.authorities.isEmpty { yieldIfLater(message, index, at: now) }
      return
    }
    if message.questions.isEmpty { return forget(message.answers, for: source.peer, index) }
    let isPlain = source.peer.port != MDNSSource.port
    let asked = matches(message, index, isPlain: isPlain)
    guard !asked.isEmpty else { return }
    guard !isPlain, source.isMulticast else {
      return tell(asked.map(\.place), to: source.peer, isPlain ? message : nil, index, at: now)
    }
    // A host that tries a name out must hear of us in time (RFC 6762 §6).
    let isProbe = !message.authorities.isEmpty
    // Two programs of one machine share the port, and a datagram to it may come to the wrong one.
    let mayBeAlone = !isProbe && !isOwn(source.peer)
    let alone = asked.filter {
      mayBeAlone && $0.wantsUnicast && links[index].records[$0.place].isFresh(at: now)
    }
    if !alone.isEmpty { tell(alone.map(\.place), to: source.peer, nil, index, at: now) }
    let places = asked.filter { one in !alone.contains { $0.place == one.place } }.map(\.place)
    guard !places.isEmpty else { return }
    // Several hosts may know instances of a type: they do not speak at the same time.
    let hasShared = places.contains { !links[index].records[$0].kind.isUnique }
    let wait = message.isTruncated ? delay(400...500) : isProbe || !hasShared ? 0 : delay(20...120)
    for place in places {
      let isPlanned = links[index].records[place].due != nil
      links[index].records[place].plan(
        at: now.advanced(byMilliseconds: wait),
        spacing: isProbe ? MDNSResponder.probeMilliseconds : MDNSResponder.spacingMilliseconds)
      let isSame = !isPlanned || links[index].records[place].asker == source.peer
      links[index].records[place].asker = message.isTruncated && isSame ? source.peer : nil
    }
  }

  /// An asker that had more to say knows these records already.
  mutating func forget(_ known: [DNSRecord], for peer: SocketAddress, _ index: Int) {
    for place in links[index].records.indices where links[index].records[place].asker == peer {
      guard MDNSResponder.isKnown(links[index].records[place].record, known) else { continue }
      links[index].records[place].due = nil
      links[index].records[place].asker = nil
    }
  }

  /// The records that the questions ask for, without those that the asker knows.
  private func matches(_ message: DNSMessage, _ index: Int, isPlain: Bool) -> [(
    place: Int, wantsUnicast: Bool
  )] {
    let records = links[index].records
    var asked: [(place: Int, wantsUnicast: Bool)] = []
    for question in message.questions {
      let ours = records.indices.filter { records[$0].record.name == question.name }
      guard !ours.isEmpty else { continue }
      var places = ours.filter { question.type == .nsec || records[$0].kind != .absence }
        .filter { question.asks(for: records[$0].record) }
      // A name of ours that has no such record: this is said, so that nobody waits for it.
      if places.isEmpty { places = ours.filter { records[$0].kind == .absence } }
      for place in places where !asked.contains(where: { $0.place == place }) {
        asked.append((place, question.wantsUnicast))
      }
    }
    return isPlain
      ? asked : asked.filter { !MDNSResponder.isKnown(records[$0.place].record, message.answers) }
  }

  private static func isKnown(_ record: DNSRecord, _ known: [DNSRecord]) -> Bool {
    known.contains {
      $0.name == record.name && $0.data == record.data && $0.lifetime >= record.lifetime / 2
    }
  }

  /// Answers one asker alone. The answer is bounded in its length, and so is the rate.
  /// - Parameter question: a plain resolver's message, whose number and questions are repeated.
  mutating func tell(
    _ places: [Int], to peer: SocketAddress, _ question: DNSMessage?, _ index: Int, at now: HostTime
  ) {
    let share = links[index].shares.left(for: peer.host, at: now)
    guard share >= MDNSShares.least, links[index].credit.holds(at: now) else {
      counts.refused += 1
      return
    }
    let records = links[index].records
    var message = DNSMessage(isResponse: true)
    message.answers = places.map { records[$0].record }
    message.additionals = following(places, index).map { records[$0].record }
    if let question {
      message.id = question.id
      message.questions = question.questions.filter { question in
        places.contains { records[$0].record.name == question.name }
      }
      message.answers = message.answers.map(MDNSResponder.plain)
      message.additionals = message.additionals.map(MDNSResponder.plain)
    }
    // Of the additional records an asker asks by itself.
    let most = min(question == nil ? MDNSResponder.mostBytes : MDNSResponder.mostPlainBytes, share)
    if message.encoded().count > most { message.additionals = [] }
    while message.encoded().count > most, message.answers.count > 1 { message.answers.removeLast() }
    if message.encoded().count > most { message.questions = Array(message.questions.prefix(1)) }
    let bytes = message.encoded().count
    guard bytes <= share else {
      // Each try encodes the answer, so it costs something: a flood gets no further one.
      links[index].shares.charge(bytes: MDNSShares.least, to: peer.host, at: now)
      counts.refused += 1
      return
    }
    // Only an answer costs others their credit: the flood of one asker gets few answers.
    links[index].credit.charge()
    links[index].shares.charge(bytes: bytes, to: peer.host, at: now)
    outgoing.append(MDNSOutgoing(message, on: links[index].shape.link, to: peer))
  }

  /// A plain resolver knows no unique records, and must not hold them for long (RFC 6762 §6.7).
  private static func plain(_ record: DNSRecord) -> DNSRecord {
    var record = record
    record.isUnique = false
    record.lifetime = min(record.lifetime, 10)
    return record
  }
}
