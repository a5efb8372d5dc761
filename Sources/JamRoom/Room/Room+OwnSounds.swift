public import JamCore
internal import JamEngine
public import JamKit
internal import JamRealtime

/// Bringing sounds along: what the state ordered is made in the background, and comes back to it.
extension Room {
  /// The outcome of an upload.
  public struct Upload: Sendable {
    public let id: SampleID
    public let name: String
    public let category: String
    public let duration: Frames
    /// Changes to the sound that its owner should know.
    public let notes: [String]
    /// A host has locked kits: only hosts may put it on a pad until then.
    public let isLocked: Bool
  }

  /// A player's right to put a sound on a pad.
  public struct Owner: Sendable {
    public let player: PlayerName
    public let token: String
    public let pad: Pad

    public init(player: PlayerName, token: String, pad: Pad) {
      self.player = player
      self.token = token
      self.pad = pad
    }
  }

  /// Takes in a sound file for everybody to choose. A sound the room does not take is not kept.
  /// - Parameters:
  ///   - name: 1–32 characters.
  ///   - owner: puts it on a pad at once; nil leaves it to be chosen.
  ///   - sender: the address whose waiting work this counts among.
  ///   - call: is called once, on another thread.
  /// - Thread: any.
  public nonisolated func upload(
    _ file: [UInt8], name: String, owner: Owner?, from sender: String = "",
    then call: @escaping @Sendable (Result<Upload, UploadError>) -> Void
  ) {
    let busy: @Sendable () -> Void = { call(.failure(.sound(KitError(name, .busy)))) }
    // Asked first: no sound is decoded for a player who may not bring it.
    submit(orElse: busy) { room in
      if let objection = room.objection(to: owner, at: room.now) { return call(.failure(objection)) }
      room.kitStore.make(.decoding(for: sender), name: name) { result in
        switch result {
        case .failure(let error): call(.failure(.sound(error)))
        case .success(let made):
          room.submit(orElse: busy) { $0.take(made, owner, from: sender, then: call) }
        }
      } _: { () throws(KitError) in
        try FinishedSound(file: file, named: name)
      }
    }
  }

  /// Runs `call` on the room's thread. Thread: any.
  nonisolated func submit(
    orElse refused: @Sendable () -> Void = {}, _ call: @escaping @Sendable (isolated Room) -> Void
  ) {
    if !thread.submit({ self.assumeIsolated { call($0) } }) { refused() }
  }

  public enum UploadError: Error {
    case sound(KitError)
    /// The room is full.
    case refused(Refusal)
    /// A host has locked kits, and it was for a pad.
    case locked(Refusal)
    /// Nobody has that name and that token.
    case notYours
  }

  /// The place for a sound of that owner.
  private func place(of owner: Owner) -> SoundPlace? {
    guard let id = player(token: owner.token), player(id)?.name == owner.player else { return nil }
    return SoundPlace(player: id, token: owner.token, pad: owner.pad)
  }

  /// The objection to any sound of that owner.
  private func objection(to owner: Owner?, at frame: Frames) -> UploadError? {
    guard let owner else { return nil }
    guard let place = place(of: owner) else { return .notYours }
    do throws(Refusal) {
      try look { state throws(Refusal) in
        try state.roster.requirePlaying(place.player)
        try state.roster.requireUnlocked(.kits, place.player)
      }
      return nil
    } catch {
      return .locked(error)
    }
  }

  /// The made sound is written first, then put on a pad: a listener of the news may end the server.
  private func take(
    _ made: MadeSound, _ owner: Owner?, from sender: String,
    then call: @escaping @Sendable (Result<Upload, UploadError>) -> Void
  ) {
    var made = made
    made.sound.author = owner?.player.text ?? ""
    if let objection = objection(to: owner, at: now) { return call(.failure(objection)) }
    do throws(Refusal) { try look { state throws(Refusal) in try state.requireRoom(for: made.sound) } } catch {
      return call(.failure(.refused(error)))
    }
    let isHost = owner.flatMap { player(token: $0.token) }.flatMap { player($0)?.isHost } ?? false
    guard isHost || kitStore.maySave(.sound, by: sender) else {
      return call(.failure(.sound(KitError(made.sound.name, .savedTooMuch))))
    }
    kitStore.keep(made, isHost: isHost) { [made] result in
      if case .failure(let error) = result { return call(.failure(.sound(error))) }
      let notTaken: @Sendable () -> Void = {
        self.kitStore.decide(made, isTaken: false)
        call(.failure(.sound(KitError(made.sound.name, .busy))))
      }
      self.submit(orElse: notTaken) { room in
        let upload = room.put(made, owner)
        var isTaken = false
        if case .success = upload { isTaken = true }
        room.kitStore.decide(made, isTaken: isTaken)
        guard isTaken else { return call(upload) }
        // Told once its name is kept: a listener of the news may end the server.
        room.noteBrought(made.sound) { call(upload) }
      }
    }
  }

  /// A sound is the room's from now on: its name is kept, and it is found.
  private func noteBrought(_ sound: OwnSound, then call: @escaping @Sendable () -> Void = {}) {
    library?.keep(BroughtSound(ListedSound(sound)), of: name)
    kitStore.keepName(of: sound, in: name, by: sound.author, then: call)
  }

  private func put(_ made: MadeSound, _ owner: Owner?) -> Result<Upload, UploadError> {
    if let objection = objection(to: owner, at: now) { return .failure(objection) }
    let place = owner.flatMap { self.place(of: $0) }
    let sound = made.sound
    var refusal: Refusal?
    var isLocked = false
    change { state, frame in
      do throws(Refusal) {
        try state.requireRoom(for: sound)
        state.made(sound, for: place, at: frame)
      } catch {
        refusal = error
      }
      isLocked = place == nil && state.roster.lock == .kits
    }
    if let refusal { return .failure(.refused(refusal)) }
    return .success(
      Upload(
        id: sound.id, name: sound.name, category: sound.category, duration: sound.duration, notes: made.finished.notes,
        isLocked: isLocked))
  }

  func loadOwn(_ hash: String) {
    kitStore.own(hash, for: name.text) { result in
      self.submit {
        $0.change { state, frame in
          switch result {
          case .success(let sound): state.ownSoundArrived(sound, at: frame)
          case .failure(let error): state.ownSoundMissing(hash, reason: .soundUnreadable(error.told))
          }
        }
      }
    }
  }

  func delete(_ kit: String, for player: PlayerID) {
    kitStore.delete(kit) { result in
      guard case .failure(let error) = result else { return }
      self.submit {
        $0.change { state, _ in state.kitNotDeleted(kit, for: player, reason: .kitNotDeleted("\(error)")) }
      }
    }
  }

  /// Takes kits and sounds from the lists of all rooms, or puts them back.
  func setTaken(_ items: TakenItems, _ isTaken: Bool) {
    kitStore.mark(items.kits, asTaken: isTaken)
    kitStore.mark(items.sounds, in: name, asTaken: isTaken)
    for sound in items.sounds {
      if isTaken {
        library?.remove(sound.id, named: sound.name, of: name)
      } else {
        library?.keep(BroughtSound(sound), of: name)
      }
    }
  }

  func save(_ order: KitOrder) {
    let isHost = player(order.player)?.isHost ?? false
    if let saver = player(order.player)?.saver, !isHost, !kitStore.maySave(.kit, by: saver) {
      let error = KitError(order.kit.name, .savedTooMuch)
      return change { state, _ in
        state.kitSavingEnded(order)
        state.kitNotSaved(order, reason: .savedTooMuch("\(error)"))
      }
    }
    kitStore.save(order.kit, isHost: isHost) { result in
      self.submit {
        $0.change { state, _ in
          state.kitSavingEnded(order)
          switch result {
          case .success(let kit): state.library.kitMarks.note(kit.id, savedBy: kit.author)
          case .failure(let error): state.kitNotSaved(order, reason: Refusal(kitNotSaved: error))
          }
        }
      }
    }
  }

  // MARK: Grabbing

  func grab(_ order: GrabOrder) {
    let make: @Sendable () throws(KitError) -> FinishedSound
    if let player = order.player {
      guard let part = history.part(of: player.id, asOf: player.asOf, in: order.range, clock: clock) else {
        change { state, _ in state.grabEnded(order) }
        let seconds = (anchor.frame(at: .now) - history.begin).seconds
        return fail(order, .grabForgotten(seconds: Int(saturating: seconds)))
      }
      make = { () throws(KitError) in try FinishedSound(cut: part.render(), named: order.name) }
    } else {
      // The last of its frames may be a buffer or two ahead of the tape.
      guard tape.end >= order.range.upperBound || now > order.range.upperBound + Room.longestWaitForTape else {
        return waitingGrabs.append(order)
      }
      let tape = tape
      make = { () throws(KitError) in try FinishedSound(cut: Room.mix(of: order.range, on: tape), named: order.name) }
    }
    let owner = "\(name)/\(order.place.player.index)"
    kitStore.make(
      .grabbing(for: owner), name: order.name, category: .loop,
      then: { result in
        self.submit { $0.grabbed(order, result) }
      }, make)
  }

  /// Grabs whose frames have come onto the tape by now. Thread: the room's.
  func goOnGrabbing() {
    let orders = waitingGrabs
    waitingGrabs = []
    for order in orders { grab(order) }
  }

  private static let longestWaitForTape = Frames.seconds(1)

  /// The room's mix; nothing where it is not to be had any more.
  private static func mix(of range: Range<Frames>, on tape: MixTape) -> [Float] {
    let count = Int((range.upperBound - range.lowerBound).count)
    return [Float](unsafeUninitializedCapacity: count * 2) { buffer, filled in
      filled = tape.read(buffer.baseAddress!, from: range.lowerBound, count: count) ? count * 2 : 0
    }
  }

  private func grabbed(_ order: GrabOrder, _ result: Result<MadeSound, KitError>) {
    change { state, _ in state.grabEnded(order) }
    switch result {
    case .success(let made): put(made, for: order.place, order.command)
    case .failure(let error):
      if case .silent = error.reason { return fail(order, .grabSilent(order.name)) }
      fail(order, .soundNotMade(error.told))
    }
  }

  private func fail(_ order: GrabOrder, _ reason: Refusal) { fail(order.command, order.place, reason) }

  private func fail(_ command: Command, _ place: SoundPlace, _ reason: Refusal) {
    change { state, _ in state.notMade(command, for: place, reason: reason) }
  }

  /// A sound that was grabbed or recorded is written, if the room takes it, and then on its pad.
  private func put(_ made: MadeSound, for place: SoundPlace, _ command: Command) {
    var made = made
    made.sound.author = player(place.player)?.name.text ?? ""
    do throws(Refusal) { try look { state throws(Refusal) in try state.requireRoom(for: made.sound) } } catch {
      return fail(command, place, error)
    }
    let isHost = player(place.player)?.isHost ?? false
    guard isHost || kitStore.maySave(.sound, by: player(place.player)?.saver ?? "") else {
      return fail(command, place, .savedTooMuch("\(KitError(made.sound.name, .savedTooMuch))"))
    }
    kitStore.keep(made, isHost: isHost) { [made] result in
      self.submit(orElse: { self.kitStore.decide(made, isTaken: false) }) { room in
        if case .failure(let error) = result { return room.fail(command, place, .soundNotMade(error.told)) }
        var refusal: Refusal?
        room.change { state, frame in
          do throws(Refusal) {
            try state.requireRoom(for: made.sound)
            state.made(made.sound, for: place, at: frame)
          } catch {
            refusal = error
          }
        }
        room.kitStore.decide(made, isTaken: refusal == nil)
        if let refusal { return room.fail(command, place, refusal) }
        room.noteBrought(made.sound)
      }
    }
  }

  // MARK: Recording

  func record(for place: SoundPlace) {
    let command = Command.record(place.pad)
    guard let recorder else { return refuseRecording(command, place, .noInput) }
    do throws(Refusal) {
      try recorder.start { result in self.submit { $0.recorded(result, command, place) } }
      change { state, _ in state.recordingBegan() }
    } catch {
      refuseRecording(command, place, error)
    }
  }

  private func refuseRecording(_ command: Command, _ place: SoundPlace, _ reason: Refusal) {
    change { state, _ in
      state.recordingNotBegun()
      state.notMade(command, for: place, reason: reason)
    }
  }

  private func recorded(_ result: Result<Recording, Refusal>, _ command: Command, _ place: SoundPlace) {
    let recording: Recording
    switch result {
    case .success(let heard): recording = heard
    case .failure(let refusal): return endRecording(command, place, refusal)
    }
    change { state, _ in state.recordingEnded() }
    let name = "recording"
    kitStore.make(.decoding(for: "\(self.name)/\(place.player.index)"), name: name) { result in
      self.submit { room in
        switch result {
        case .success(let made): room.put(made, for: place, command)
        case .failure(let error):
          if case .silent = error.reason { return room.fail(command, place, .inputSilent) }
          room.fail(command, place, .soundNotMade(error.told))
        }
      }
    } _: { () throws(KitError) in
      try FinishedSound(
        recorded: recording.interleaved, channels: recording.channels, rate: recording.rate, named: name)
    }
  }

  private func endRecording(_ command: Command, _ place: SoundPlace, _ reason: Refusal) {
    change { state, _ in
      state.recordingEnded()
      state.notMade(command, for: place, reason: reason)
    }
  }
}

extension Refusal {
  /// The reason why a kit was not saved.
  fileprivate init(kitNotSaved error: KitError) {
    if case .nowhereToKeep = error.reason { self = .kitsNotKept } else { self = .kitNotSaved(error.told) }
  }
}

extension BroughtSound {
  fileprivate init(_ listed: ListedSound) {
    self.init(
      id: listed.id, name: listed.name, category: listed.category, author: listed.author)
  }
}
