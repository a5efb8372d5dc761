internal import Glibc
internal import JamCore

/// A player in two images: whether the rows that keep it are the same.
///
/// The parts are compared in place, in the tables of both images: a copy of a whole player costs
/// more than all of the comparison. Most parts of most players are not written between two images.
/// So a part is compared byte by byte first, and what lies in it only where bytes differ.
/// Thread: any, while both images are there.
struct PlayerComparison {
  let old: Parts
  let new: Parts
  private let isPersonUntouched: Bool
  let isChannelUntouched: Bool
  private let areHandsUntouched: Bool
  private let isLooperUntouched: Bool
  private let isDeskUntouched: Bool

  /// Somebody has the place in both.
  init(_ before: RoomState, _ after: RoomState, at id: PlayerID) {
    (old, new) = (Parts(before, at: id), Parts(after, at: id))
    isPersonUntouched = old.personPlace.hasBytes(of: new.personPlace)
    isChannelUntouched = old.channelPlace.hasBytes(of: new.channelPlace)
    areHandsUntouched = old.handsPlace.hasBytes(of: new.handsPlace)
    isLooperUntouched = old.looperPlace.hasBytes(of: new.looperPlace)
    isDeskUntouched = old.deskPlace.hasBytes(of: new.deskPlace)
  }

  /// Nothing of the player was written: all rows are the same.
  var isUntouched: Bool {
    isPersonUntouched && isChannelUntouched && areHandsUntouched && isLooperUntouched && isDeskUntouched
  }

  /// The place has another player than before.
  var isSomebodyElse: Bool { !isPersonUntouched && old.person.token != new.person.token }

  var isPersonKept: Bool {
    (isPersonUntouched || new.person.isKept(as: old.person))
      && (isChannelUntouched
        || new.channel.hostGain == old.channel.hostGain && new.channel.isMutedByHost == old.channel.isMutedByHost
          && new.channel.isSoloed == old.channel.isSoloed)
      && (isDeskUntouched
        || new.desk.vote == old.desk.vote && new.desk.history.made == old.desk.history.made)
  }

  var areWhereaboutsKept: Bool { isPersonUntouched || new.person.whereabouts == old.person.whereabouts }

  /// Whether all that the journal's list of settings holds is the same.
  var areSettingsKept: Bool {
    (isPersonUntouched
      || new.person.hearing.latency == old.person.hearing.latency
        && Self.personRows.areSame(in: old.personPlace, new.personPlace))
      && (isChannelUntouched || Self.channelRows.areSame(in: old.channelPlace, new.channelPlace))
      && (isDeskUntouched || Self.deskRows.areSame(in: old.deskPlace, new.deskPlace))
      && (isLooperUntouched
        || isFocusKept && Self.looperRows.areSame(in: old.looperPlace, new.looperPlace))
      && (areHandsUntouched
        || new.hands.velocityScale == old.hands.velocityScale && new.hands.keys.asked == old.hands.keys.asked
          && Self.handsRows.areSame(in: old.handsPlace, new.handsPlace))
  }

  private var isFocusKept: Bool {
    new.looper.focus?.lane == old.looper.focus?.lane && new.looper.focus?.slot == old.looper.focus?.slot
      && new.looper.resumedFocus == old.looper.resumedFocus
  }

  var isLoopKept: Bool {
    isLooperUntouched
      || new.looper.loop.isKept(as: old.looper.loop) && new.looper.resumes?.loop == old.looper.resumes?.loop
  }

  var arePadsKept: Bool {
    if areHandsUntouched && isDeskUntouched { return true }
    guard new.desk.wantedKit == old.desk.wantedKit, new.hands.kit === old.hands.kit,
      new.desk.wantedPads == old.desk.wantedPads
    else { return false }
    guard !new.hands.pads.isShared(with: old.hands.pads) else { return true }
    // In place: a pad is large, and a copy of it counts references.
    return new.hands.pads.withUnsafeBufferPointer { mine in
      old.hands.pads.withUnsafeBufferPointer { others in
        mine.indices.allSatisfy {
          mine[$0].settings == others[$0].settings && mine[$0].sample == others[$0].sample
            && mine[$0].wish.sample == others[$0].wish.sample && mine[$0].wish.stretch == others[$0].wish.stretch
            && mine[$0].wish.beats == others[$0].wish.beats
        }
      }
    }
  }

  func isLaneKept(_ index: Int) -> Bool {
    guard new.looper.resumes == old.looper.resumes else { return false }
    guard !new.looper.lanes.isShared(with: old.looper.lanes) else { return true }
    return new.looper.lanes[index].playing == old.looper.lanes[index].playing
      && (new.looper.lanes[index].slots.isShared(with: old.looper.lanes[index].slots)
        || zip(new.looper.lanes[index].slots, old.looper.lanes[index].slots).allSatisfy { a, b in
          a == nil && b == nil || a.flatMap { a in b.map { a.isKeptAs($0) } } == true
        })
  }

  // MARK: The rows of the journal's list

  private static let personRows = Person.rows.inJournal()
  private static let channelRows = (Channel.rows + Channel.effectRows).inJournal()
  private static let deskRows = Desk.rows.inJournal()
  private static let looperRows = Looper.rows.inJournal()
  /// But for those of the instrument, which are compared as a whole.
  private static let handsRows = (Hands.rows + Hands.keyboardRows).inJournal().filter { $0.readKept == nil }
}

extension PlayerComparison {
  /// The parts of a player in the tables of a state, for as long as the state is there.
  struct Parts {
    fileprivate let personPlace: UnsafePointer<Person>
    fileprivate let channelPlace: UnsafePointer<Channel>
    fileprivate let handsPlace: UnsafePointer<Hands>
    fileprivate let looperPlace: UnsafePointer<Looper>
    fileprivate let deskPlace: UnsafePointer<Desk>

    fileprivate init(_ state: RoomState, at id: PlayerID) {
      personPlace = state.roster.persons.address(of: id)
      channelPlace = state.channels.address(of: id)
      handsPlace = state.hands.address(of: id)
      looperPlace = state.loopers.address(of: id)
      deskPlace = state.desks.address(of: id)
    }

    var person: Person { unsafeAddress { personPlace } }
    var channel: Channel { unsafeAddress { channelPlace } }
    var hands: Hands { unsafeAddress { handsPlace } }
    var looper: Looper { unsafeAddress { looperPlace } }
    var desk: Desk { unsafeAddress { deskPlace } }
  }
}

extension UnsafePointer {
  /// Whether both values have the same bytes, and so the same references: then they are equal.
  /// Values that are equal may differ here, in memory that they do not share.
  fileprivate func hasBytes(of other: UnsafePointer) -> Bool { memcmp(self, other, MemoryLayout<Pointee>.size) == 0 }
}

extension Array {
  fileprivate func inJournal<Owner>() -> [Row<Owner>] where Element == Row<Owner> {
    filter { $0.facts.kept.contains(.journal) }
  }

  fileprivate func areSame<Owner>(in one: UnsafePointer<Owner>, _ other: UnsafePointer<Owner>) -> Bool
  where Element == Row<Owner> {
    // A copy of each, once: to hand a row what lies behind a pointer would copy it for every row.
    let (mine, others) = (one.pointee, other.pointee)
    return allSatisfy { $0.read(mine) == $0.read(others) }
  }
}

extension Person {
  fileprivate func isKept(as other: Person) -> Bool {
    name == other.name && token == other.token && isGuest == other.isGuest && role == other.role
      && isMadeListener == other.isMadeListener && hasLeft == other.hasLeft
  }
}

extension Loop {
  fileprivate func isKept(as other: Loop) -> Bool {
    bars == other.bars && recordedBars == other.recordedBars && length == other.length && origin == other.origin
      && isPlaying == other.isPlaying && passes == other.passes && grid.count == other.grid.count
      && grid.counts == other.grid.counts
  }
}
