internal import JamCore

/// Records for all of a link: announcements, and answers that are due.
extension MDNSResponder {
  mutating func announce(_ index: Int, told: Int, at now: HostTime) {
    for place in links[index].records.indices where links[index].records[place].kind != .absence {
      plan(place, index, at: now, 0)
    }
    let after = now.advanced(byMilliseconds: MDNSResponder.spacingMilliseconds)
    let isLast = told + 1 >= MDNSResponder.announcements
    links[index].phase = isLast ? .settled : .announcing(told: told + 1, next: after)
  }

  mutating func plan(_ place: Int, _ index: Int, at now: HostTime, _ delay: Double) {
    links[index].records[place].plan(
      at: now.advanced(byMilliseconds: delay), spacing: MDNSResponder.spacingMilliseconds)
  }

  /// Tells all what is due, and what an asker asks for next.
  mutating func tellDue(_ index: Int, at now: HostTime) {
    let due = links[index].records.indices.filter { place in
      links[index].records[place].due.map { $0 <= now } ?? false
    }
    guard !due.isEmpty else { return }
    let more = following(due, index).filter { place in
      guard let told = links[index].records[place].told else { return true }
      return now.milliseconds(since: told) >= MDNSResponder.spacingMilliseconds
    }
    for place in due + more {
      links[index].records[place].told = now
      links[index].records[place].due = nil
      links[index].records[place].asker = nil
    }
    send(
      due.map { links[index].records[$0].record }, more.map { links[index].records[$0].record },
      on: links[index].shape.link)
  }

  /// The places of the records that are asked for next by somebody who gets those at `places`.
  func following(_ places: [Int], _ index: Int) -> [Int] {
    let records = links[index].records
    var wanted: [DNSName] = []
    for place in places {
      switch records[place].record.data {
      case .pointer(let name) where records[place].kind == .shared: wanted.append(name)
      case .service(let service): wanted.append(service.host)
      default: break
      }
    }
    for record in records where wanted.contains(record.record.name) {
      if case .service(let service) = record.record.data { wanted.append(service.host) }
    }
    return records.indices.filter {
      records[$0].isClaimed && wanted.contains(records[$0].record.name) && !places.contains($0)
    }
  }

  /// Sends records to all of a link, in as many messages as they need.
  mutating func send(_ answers: [DNSRecord], _ additionals: [DNSRecord] = [], on link: MDNSLink) {
    var message = DNSMessage(isResponse: true)
    for (record, isAnswer) in answers.map({ ($0, true) }) + additionals.map({ ($0, false) }) {
      var longer = message
      if isAnswer { longer.answers.append(record) } else { longer.additionals.append(record) }
      if longer.encoded().count > MDNSResponder.mostBytes, !message.answers.isEmpty {
        outgoing.append(MDNSOutgoing(message, on: link))
        message = DNSMessage(isResponse: true)
        // Additional records that do not fit are left out: askers ask for them.
        guard isAnswer else { return }
        message.answers = [record]
      } else {
        message = longer
      }
    }
    if !message.answers.isEmpty { outgoing.append(MDNSOutgoing(message, on: link)) }
  }
}
