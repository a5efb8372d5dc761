internal import JamCore
internal import JamEngine

/// A kept room's items, read into what they are. One that cannot be read is left out and told.
struct KeptReading {
  struct ClockValues: Equatable {
    var tempo: Tempo
    var signature: TimeSignature
    var isPlaying: Bool
    var swing: Float
    var mode: TempoMode
    var isOverruled: Bool
  }

  struct Person: Equatable {
    var name: PlayerName
    var token: String
    var isGuest: Bool
    var role: Role
    var isMadeListener: Bool
    var hasLeft: Bool
    var hostGain: Float
    var isMutedByHost: Bool
    var isSoloed: Bool
    var vote: Float?
    var edits: Int
    /// Older programs kept none.
    var whereabouts = Whereabouts()
    var mix = MyMix()

    var settings: [KeptSetting] = []
    var velocityScale = VelocityScale()
    var latency: Float = 0
    var focus: SlotPlace?
    var kit: KitEdit?
    var loop = Loop()
    var isLoopPlaying = false
    var lanes: [LaneEdit?] = []
    var done: [Edit] = []
    var undone: [Edit] = []
    var begin: Checkpoint?
    /// The sound of its hits, by their numbers.
    var definitions: [Int: VoicedHit] = [:]
  }

  /// In the order of their places.
  private(set) var people: [Person] = []
  private(set) var clock: ClockValues?
  private(set) var mix = Mix()
  private(set) var parts: BuildUpParts?
  private(set) var lock = Lock.none
  private(set) var door = KeptDoor()
  private(set) var project = OpenProject()
  private(set) var chat: [ChatLine] = []
  /// Older programs kept none: players get theirs in the order of their places.
  private(set) var seats: [(seat: Int, name: PlayerName)] = []
  /// Of people who left, by their tokens.
  private(set) var mixes: [String: MyMix] = [:]
  /// The players who held the room's controls; older programs kept none.
  private(set) var holds: [(control: PlayedControl, player: PlayerName)] = []
  private(set) var progressions = ProgressionBook()
  private(set) var scenes = SceneBook()
  private(set) var roomDone: [RoomEdit] = []
  private(set) var roomUndone: [RoomEdit] = []
  private(set) var roomEdits: UInt64 = 0
  private(set) var sequence: UInt64 = 0
  private(set) var slotsPut: UInt64 = 0
  private(set) var problems: [String] = []

  private let sounds: KeptSounds
  /// By the first two words of their names, each with the rest.
  private let rows: [String: [KeptValue]]

  var wantedSounds: Set<VoicedSound> { sounds.wanted }

  /// The kits and the sounds that the pads have.
  var kits: Set<String> { Set(people.compactMap(\.kit?.kit)) }
  /// The instruments of the keys.
  var instruments: Set<String> { KeptSetting.instruments(in: people.flatMap(\.settings)) }
  var samples: Set<SampleID> { Set(people.flatMap { $0.kit?.pads.map(\.sample) ?? [] }) }

  init(_ items: [String: [KeptValue]], _ sounds: KeptSounds) {
    rows = items
    self.sounds = sounds
    readRoom()
    let places = items.keys.compactMap { name -> Int? in
      let words = name.split(separator: "/")
      return words.count == 2 && words[0] == "player" ? Int(words[1]) : nil
    }.sorted()
    for place in places {
      guard people.count < Limits.standard.playersPerRoom else { break }
      sounds.begin(PlayerID(index: UInt8(people.count)))
      guard var person = person(at: place) else { continue }
      person.definitions = sounds.definitions
      people.append(person)
    }
  }

  /// The room counts on from what it reads, and a broken row may hold any number.
  private static let mostCounted: UInt64 = 1 << 60

  private mutating func readRoom() {
    clock = read("clock") { reader throws(KeptError) in
      ClockValues(
        tempo: try reader.take(), signature: try reader.take(), isPlaying: try reader.take(), swing: try reader.take(),
        mode: try reader.take(), isOverruled: try reader.take())
    }
    let moment = read("moment") { reader throws(KeptError) in
      (
        frame: Frames(try reader.take(Int64.self)), line: try reader.take(Beats.self),
        sequence: try reader.take(UInt64.self), slotsPut: try reader.take(UInt64.self)
      )
    }
    sequence = min(moment?.sequence ?? 0, KeptReading.mostCounted)
    slotsPut = min(moment?.slotsPut ?? 0, KeptReading.mostCounted)
    // The new room's clock begins with a bar of the common signature. Any other one holds from the
    // second bar on: places count from there.
    let first = clock.map { $0.signature == .common ? Beats.zero : TimeSignature.common.barLength } ?? .zero
    sounds.barLine = (moment?.line ?? .zero) - (clock?.isPlaying == true ? first : .zero)
    // A row that is lost costs itself alone.
    mix =
      read("mix") { reader throws(KeptError) in
        Mix(
          masterGain: try reader.take(), pitch: try reader.take(), modulation: try reader.take(),
          speakersClick: try reader.take())
      } ?? Mix()
    // A row of its own: older programs wrote none.
    mix.isLevelled = read("leveller") { reader throws(KeptError) in try reader.take(Bool.self) } ?? true
    mix.key = read("key") { reader throws(KeptError) in try reader.take(MusicalKey.self) } ?? MusicalKey()
    mix.effects = RoomEffectSettings(
      read("effects") { reader throws(KeptError) in try reader.takeSettings() } ?? [])
    let settings = read("settings") { reader throws(KeptError) in try reader.takeSettings() } ?? []
    for kept in settings { mix.bring(kept) }
    parts = read("buildup") { reader throws(KeptError) in
      BuildUpParts(
        roll: try reader.take(), riser: try reader.take(), impact: try reader.take(), silence: try reader.take(),
        hold: try reader.take(), pad: try reader.take(Int.self))
    }
    lock = read("lock") { reader throws(KeptError) in try reader.take() } ?? .none
    // A row of its own: older programs had no door.
    door = read("door") { reader throws(KeptError) in try reader.take() } ?? KeptDoor()
    project =
      read("project") { reader throws(KeptError) in
        OpenProject(
          name: try reader.take(), measures: try reader.take(), version: try reader.take(), label: try reader.take())
      } ?? OpenProject()
    if !OpenProject.measuresRange.contains(project.measures) { project.measures = OpenProject.standardMeasures }
    progressions = ProgressionBook(
      read("progressions") { reader throws(KeptError) in try reader.take([SavedProgression].self) } ?? [])
    scenes = SceneBook(read("scenes") { reader throws(KeptError) in try reader.take([SceneBook.Entry].self) } ?? [])
    let edits: UInt64? = read("history") { reader throws(KeptError) in try reader.take() }
    roomEdits = min(edits ?? 0, KeptReading.mostCounted)
    roomDone = list("history/done")
    roomUndone = list("history/undone")
    seats =
      read("seats") { reader throws(KeptError) in
        var seats: [(seat: Int, name: PlayerName)] = []
        while !reader.isAtEnd { seats.append((try reader.take(Int.self), try reader.take())) }
        return seats
      } ?? []
    mixes =
      read("mixes") { reader throws(KeptError) in
        var mixes: [String: MyMix] = [:]
        while !reader.isAtEnd {
          let token = try reader.take(String.self)
          mixes[token] = try reader.take(MyMix.self)
        }
        return mixes
      } ?? [:]
    holds =
      read("holds") { reader throws(KeptError) in
        var holds: [(control: PlayedControl, player: PlayerName)] = []
        while !reader.isAtEnd {
          let word = try reader.take(String.self)
          let player = try reader.take(PlayerName.self)
          // A control that this program does not know costs itself alone.
          guard let control = PlayedControl(word: word) else { continue }
          holds.append((control, player))
        }
        return holds
      } ?? []
    let now = moment?.frame ?? .zero
    chat =
      read("chat") { reader throws(KeptError) in
        var lines: [ChatLine] = []
        while !reader.isAtEnd {
          lines.append(
            ChatLine(
              player: try reader.take(), text: try reader.take(), at: Frames(try reader.take(Int64.self)) - now))
        }
        return lines
      } ?? []
  }

  private mutating func person(at place: Int) -> Person? {
    let name = "player/\(place)"
    guard
      var person = read(
        name,
        { reader throws(KeptError) in
          Person(
            name: try reader.take(), token: try reader.take(), isGuest: try reader.take(), role: try reader.take(),
            isMadeListener: try reader.take(), hasLeft: try reader.take(), hostGain: try reader.take(),
            isMutedByHost: try reader.take(), isSoloed: try reader.take(), vote: try reader.take(),
            edits: try reader.take())
        })
    else { return nil }
    person.whereabouts =
      read("\(name)/from") { reader throws(KeptError) in try reader.take() } ?? Whereabouts()
    person.mix = read("\(name)/mix") { reader throws(KeptError) in try reader.take() } ?? MyMix()
    readSettings(of: &person, name)
    readLoop(of: &person, name)
    person.lanes = (1...Limits.standard.lanesPerPlayer).map { lane in
      read("\(name)/lane/\(lane)") { reader throws(KeptError) in try reader.take() }
    }
    person.done = list("\(name)/done")
    person.undone = list("\(name)/undone")
    person.begin = read("\(name)/begin") { reader throws(KeptError) in try reader.take() }
    return person
  }

  private mutating func readSettings(of person: inout Person, _ name: String) {
    let settings = read("\(name)/settings") { reader throws(KeptError) in
      (
        settings: try reader.takeSettings(), full: try reader.take(Float.self),
        isSet: try reader.take(Bool.self), latency: try reader.take(Float.self),
        lane: try reader.take(Int.self), slot: try reader.take(Int.self)
      )
    }
    if let settings {
      person.settings = settings.settings
      person.velocityScale = VelocityScale(full: settings.full, isSet: settings.isSet)
      person.latency = settings.latency
      person.focus = settings.lane > 0 ? SlotPlace(lane: settings.lane, slot: settings.slot) : nil
    }
    person.settings += read("\(name)/effects") { reader throws(KeptError) in try reader.takeSettings() } ?? []
    let named: String? = read("\(name)/kit", { reader throws(KeptError) in try reader.take() })
    let found = Pad.all.map { pad in
      read("\(name)/pad/\(pad.number)") { reader throws(KeptError) in try reader.take(PadEdit.self) }
    }
    // If the kit's row is lost, the pads name their kit.
    guard let kit = named ?? KeptReading.kit(of: found) else { return }
    let pads = zip(Pad.all, found).map { $1 ?? PadEdit(sample: .pad($0, of: kit), settings: PadSettings()) }
    person.kit = KitEdit(kit: kit, pads: pads)
  }

  /// The kit that most of the pads are of.
  private static func kit(of pads: [PadEdit?]) -> String? {
    var counts: [String: Int] = [:]
    for pad in pads { if case .pad(_, let kit)? = pad?.sample { counts[kit, default: 0] += 1 } }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  private mutating func readLoop(of person: inout Person, _ name: String) {
    let barLine = sounds.barLine
    let values = read("\(name)/loop") { reader throws(KeptError) in
      (
        bars: try reader.take(Int.self), recordedBars: try reader.take(Int.self), length: try reader.take(Beats.self),
        origin: try reader.take(Beats.self) - barLine, isPlaying: try reader.take(Bool.self),
        passes: try reader.take(Int.self), steps: try reader.take(Int.self), counts: try reader.take([Int].self)
      )
    }
    guard let values, Limits.bars.contains(values.bars), values.counts.count == Pad.count,
      StepGrid.range.contains(values.steps)
    else { return }
    var loop = Loop()
    loop.bars = values.bars
    loop.recordedBars = min(max(values.recordedBars, Limits.bars.lowerBound), Limits.bars.upperBound)
    loop.length = values.length
    loop.origin = values.origin
    loop.countPasses(from: values.passes)
    loop.grid.count = values.steps
    loop.grid.counts = values.counts.map { StepGrid.range.contains($0) ? $0 : 0 }
    for number in 1...Limits.standard.layersPerLoop {
      if let layer: Layer = read("\(name)/layer/\(number)", { reader throws(KeptError) in try reader.take() }) {
        loop[number] = layer
      }
    }
    let loans = read("\(name)/loans") { reader throws(KeptError) in
      try reader.take([KeptLoan].self)
    }
    loop.putLoans(loans ?? [])
    loop.agreeOnLength()
    if loop.length <= .zero, !loop.isEmpty { loop.layers = [] }
    person.loop = loop
    person.isLoopPlaying = values.isPlaying && !loop.isEmpty
  }

  // MARK: Rows

  private mutating func read<Thing>(
    _ name: String, _ body: (inout KeptReader) throws(KeptError) -> Thing
  ) -> Thing? {
    guard let row = rows[name] else { return nil }
    var reader = KeptReader(row, sounds)
    do throws(KeptError) {
      return try body(&reader)
    } catch {
      problems.append("\(name): \(error)")
      return nil
    }
  }

  /// The rows from number 0 on; those behind one that cannot be read are not what they were.
  private mutating func list<Element: Kept>(_ name: String) -> [Element] {
    var list: [Element] = []
    while let element: Element = read("\(name)/\(list.count)", { reader throws(KeptError) in try reader.take() }) {
      list.append(element)
    }
    return list
  }
}

extension Loop {
  /// Where a disk lied, rows are of several moments: the longest recorded layer says how long the
  /// loop is, so that nothing is cut off.
  fileprivate mutating func agreeOnLength() {
    let recorded = layers.indices.filter { layers[$0]?.isSteps == false }
    let lengths = recorded.flatMap { layers[$0]?.tracks.map(\.length) ?? [] }
    guard let longest = lengths.max() else { return }
    length = longest
    for index in recorded {
      guard let count = layers[index]?.tracks.count else { continue }
      for track in 0..<count { layers[index]?.tracks[track].length = longest }
    }
  }
}
