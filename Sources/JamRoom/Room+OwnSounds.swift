internal import Glibc
public import JamCore
internal import JamEngine
public import JamKit
internal import JamRealtime

/// Bringing sounds along: what the state ordered is made in the background, and comes back to it.
extension Room {
  /// What became of an upload.
  public struct Upload: Sendable {
    public let id: SampleID
    public let name: String
    public let category: String
    public let duration: Frames
    /// What was done to it that its owner should know.
    public let notes: [String]
  }

  /// Who may put a sound on a pad.
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

  /// Takes in a sound file: everybody may choose it from then on.
  /// - Parameters:
  ///   - name: 1–32 characters.
  ///   - owner: puts it on a pad at once; nil leaves it to be chosen.
  ///   - call: is called once, on another thread.
  /// - Thread: any.
  public nonisolated func upload(
    _ file: [UInt8], name: String, owner: Owner?, then call: @escaping @Sendable (Result<Upload, UploadError>) -> Void
  ) {
    shelf.makeOwn(name: name) { () throws(KitError) in
      try FinishedSound(file: file, named: name)
    } then: { [thread] result in
      switch result {
      case .failure(let error): call(.failure(.sound(error)))
      case .success(let (sound, notes)):
        let isTaken = thread.submit {
          let upload = self.assumeIsolated { $0.take(sound, notes, owner) }
          guard case .success = upload else { return call(upload) }
          // Told once its name is kept: whoever hears of it may end the server.
          self.shelf.keepName(of: sound, in: self.name) { call(upload) }
        }
        if !isTaken { call(.failure(.refused(Refusal("the server is busy or ending: try again")))) }
      }
    }
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

  private func take(_ sound: OwnSound, _ notes: [String], _ owner: Owner?) -> Result<Upload, UploadError> {
    var place: SoundPlace?
    if let owner {
      guard let id = player(token: owner.token), player(id)?.name == owner.player else { return .failure(.notYours) }
      place = SoundPlace(player: id, token: owner.token, pad: owner.pad)
    }
    var failure: UploadError?
    var notes = notes
    change { state, frame, effects in
      do throws(Refusal) {
        if let place {
          try state.requirePlaying(place.player)
          try state.requireUnlocked(.kits, place.player)
        }
      } catch {
        failure = .locked(error)
        return
      }
      do throws(Refusal) {
        try state.made(sound, for: place, at: frame, &effects)
      } catch {
        failure = .refused(error)
      }
      if place == nil, state.lock == .kits {
        notes.append("a host has locked kits: only hosts may put it on a pad until /lock none")
      }
    }
    if let failure { return .failure(failure) }
    return .success(
      Upload(id: sound.id, name: sound.name, category: sound.category, duration: sound.duration, notes: notes))
  }

  func loadOwn(_ hash: String) {
    shelf.own(hash) { [thread] result in
      thread.submit {
        self.assumeIsolated { room in
          room.change { state, frame, effects in
            switch result {
            case .success(let sound): state.ownSoundArrived(sound, at: frame, &effects)
            case .failure(let error): state.ownSoundMissing(hash, reason: "\(error)", &effects)
            }
          }
        }
      }
    }
  }

  func save(_ order: KitOrder) {
    shelf.save(order.kit) { [thread] result in
      thread.submit {
        self.assumeIsolated { room in
          room.change { state, _, effects in
            state.kitSavingEnded(order)
            if case .failure(let error) = result { state.kitNotSaved(order, reason: "\(error)", &effects) }
          }
        }
      }
    }
  }

  // MARK: Grabbing

  func grab(_ order: GrabOrder) {
    let make: @Sendable () throws(KitError) -> FinishedSound
    if let player = order.player {
      guard let part = history.part(of: player.id, asOf: player.asOf, in: order.range) else {
        change { state, _, _ in state.grabEnded(order) }
        let seconds = (anchor.frame(at: .now) - history.begin).seconds
        return fail(
          order,
          "so much was played that the room remembers \(Int(seconds)) s of it: grab fewer bars, or the room's mix")
      }
      make = { () throws(KitError) in try FinishedSound(cut: part.render(), named: order.name) }
    } else {
      let tape = tape
      make = { () throws(KitError) in try FinishedSound(cut: Room.mix(of: order.range, on: tape), named: order.name) }
    }
    shelf.makeOwn(name: order.name, category: .loop, inTurn: true, make) { [thread] result in
      thread.submit { self.assumeIsolated { $0.grabbed(order, result.map(\.0)) } }
    }
  }

  /// The room's mix, once all of the range is on the tape; nothing where it is not to be had any more.
  private static func mix(of range: Range<Frames>, on tape: MixTape) -> [Float] {
    let count = Int((range.upperBound - range.lowerBound).count)
    // The last of its frames may be a buffer or two ahead of the tape.
    var turns = 0
    while tape.end < range.upperBound && turns < 100 {
      usleep(2_000)
      turns += 1
    }
    return [Float](unsafeUninitializedCapacity: count * 2) { buffer, filled in
      filled = tape.read(buffer.baseAddress!, from: range.lowerBound, count: count) ? count * 2 : 0
    }
  }

  private func grabbed(_ order: GrabOrder, _ result: Result<OwnSound, KitError>) {
    change { state, _, _ in state.grabEnded(order) }
    switch result {
    case .success(let sound): put(sound, for: order.place, order.command)
    case .failure(let error):
      if case .silent = error.reason { return fail(order, "\(order.name): nothing was to be heard in it") }
      fail(order, "\(error)")
    }
  }

  private func fail(_ order: GrabOrder, _ reason: String) {
    change { state, _, effects in state.notMade(order.command, for: order.place, reason: reason, &effects) }
  }

  private func put(_ sound: OwnSound, for place: SoundPlace, _ command: Command) {
    var isKept = false
    change { state, frame, effects in
      do throws(Refusal) {
        try state.made(sound, for: place, at: frame, &effects)
        isKept = true
      } catch {
        state.notMade(command, for: place, reason: error.reason, &effects)
      }
    }
    if isKept { shelf.keepName(of: sound, in: name) }
  }

  // MARK: Recording

  func record(for place: SoundPlace) {
    let command = Command.record(place.pad)
    guard let recorder else {
      return endRecording(command, place, "this server has no input: start it with --input DEVICE, see arecord -L")
    }
    do throws(Refusal) {
      try recorder.start { [thread] result in
        thread.submit { self.assumeIsolated { $0.recorded(result, command, place) } }
      }
    } catch {
      endRecording(command, place, error.reason)
    }
  }

  private func recorded(_ result: Result<Recording, Refusal>, _ command: Command, _ place: SoundPlace) {
    let recording: Recording
    switch result {
    case .success(let heard): recording = heard
    case .failure(let refusal): return endRecording(command, place, refusal.reason)
    }
    change { state, _, effects in state.recordingEnded(&effects) }
    let name = "recording"
    shelf.makeOwn(name: name) { () throws(KitError) in
      try FinishedSound(
        recorded: recording.interleaved, channels: recording.channels, rate: recording.rate, named: name)
    } then: { [thread] result in
      thread.submit {
        self.assumeIsolated { room in
          switch result {
          case .success(let (sound, _)): room.put(sound, for: place, command)
          case .failure(let error):
            var reason = "\(error)"
            if case .silent = error.reason { reason = "nothing was to be heard at the input: check its level" }
            room.change { $0.notMade(command, for: place, reason: reason, &$2) }
          }
        }
      }
    }
  }

  private func endRecording(_ command: Command, _ place: SoundPlace, _ reason: String) {
    change { state, _, effects in
      state.recordingEnded(&effects)
      state.notMade(command, for: place, reason: reason, &effects)
    }
  }
}
