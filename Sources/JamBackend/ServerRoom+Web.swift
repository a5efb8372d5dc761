import JamCore
import JamKit
package import JamRealtime
package import JamRoom
package import JamServer
package import JamStream
package import JamWeb

/// A room, for the web server.
extension ServerRoom: WebRoom {
  package var name: String { room.name.text }
  package var isPasswordProtected: Bool { room.password != nil }
  package var ogg: OggMount { mount }
  package var tape: MixTape { parts.tape.tape }
  package var projects: (any WebProjects)? { serverProjects }
  package var takes: (any WebTakes)? { serverTakes.map { RoomTakes(takes: $0, room: room.name) } }

  package var library: (any WebLibrary)? { serverLibrary.map { RoomLibrary(library: $0, room: room) } }

  package func admits(password: String) -> Bool { room.admits(password: password) }

  package func upload(
    _ file: [UInt8], name: String, owner: UploadOwner?, from sender: String,
    then call: @escaping @Sendable (Result<UploadedSound, UploadProblem>) -> Void
  ) {
    var place: Room.Owner?
    if let owner {
      guard let player = PlayerName(owner.player), let pad = Pad(owner.pad) else {
        return call(.failure(ServerRoom.notYours))
      }
      place = Room.Owner(player: player, token: owner.token, pad: pad)
    }
    room.upload(file, name: name, owner: place, from: sender) { result in
      call(
        result.map {
          UploadedSound(
            id: "\($0.id)", name: $0.name, category: $0.category, seconds: $0.duration.seconds,
            notes: $0.notes + ($0.isLocked ? [ServerRoom.lockedNote] : []))
        }.mapError(ServerRoom.problem))
    }
  }

  private static let lockedNote = "a host has locked kits: only hosts may put it on a pad until /lock none"

  private static let notYours = UploadProblem(.notYours, .wrongToken)

  private static func problem(_ error: Room.UploadError) -> UploadProblem {
    switch error {
    case .notYours: notYours
    case .locked(let refusal): UploadProblem(.locked, refusal)
    case .refused(let refusal): UploadProblem(.refused, refusal)
    case .sound(let error):
      switch error.reason {
      case .notSound, .damaged: UploadProblem(.notSound, .soundUnreadable(error.told))
      case .tooLarge, .tooLong, .muchTooLong: UploadProblem(.tooLong, .soundNotMade(error.told))
      case .savedTooMuch: UploadProblem(.tooMuch, .savedTooMuch(error.told))
      case .busy: UploadProblem(.busy, .soundNotMade(error.told))
      default: UploadProblem(error.isLackOfSpace ? .noSpace : .unusable, .soundNotMade(error.told))
      }
    }
  }

  package func isRightToken(_ token: String, of player: String) -> Bool? {
    guard let name = PlayerName(player) else { return nil }
    return switch room.cueAccess.admits(name, token: token) {
    case .admitted: true
    case .nobody: nil
    case .wrongToken: false
    }
  }

  package func mayBring(player: String?, token: String) -> Bool {
    room.cueAccess.mayBring(player.flatMap { PlayerName($0) }, token: token)
  }

  package func cueOwner(player: String, token: String) throws(StreamError) -> CueOwner {
    guard let name = PlayerName(player) else { throw .player(player) }
    switch room.cueAccess.admits(name, token: token) {
    case .admitted(let name): return CueOwner(name: name, token: token)
    case .nobody: throw .player(player)
    case .wrongToken: throw .token(player: name.text)
    }
  }

  package var kits: [KitLook] {
    room.kits.map { kit in
      KitLook(
        id: kit.id, name: kit.name, colours: kit.colours,
        pads: kit.pads.indices.filter { kit.pads[$0] != nil }.map { $0 + 1 },
        names: kit.pads.map { $0?.name ?? "" },
        categories: kit.pads.map { $0?.category ?? "" },
        keys: kit.pads.indices.compactMap { index in
          guard let pad = kit.pads[index], let key = pad.key.flatMap({ PitchClass(key: $0) }) else { return nil }
          return PadKey(pad: index + 1, note: key.number, transpose: Double(pad.settings.transpose))
        })
    }
  }

  package func pads(of player: String, then call: @escaping @Sendable (PlayerPads?) -> Void) {
    guard let name = PlayerName(player) else { return call(nil) }
    let isTaken = room.thread.submit { [room] in
      call(room.assumeIsolated { ServerRoom.pads(of: name, in: $0) })
    }
    if !isTaken { call(nil) }
  }

  private static func pads(of player: PlayerName, in room: isolated Room) -> PlayerPads? {
    guard let id = room.player(named: player) else { return nil }
    let settings = [Setting.kit] + Pad.all.map { .padName($0) }
    var pads = PlayerPads(kit: "", names: [], isHost: room.isHost(id))
    for case .value(let setting, .text(let text)) in room.values(of: settings[...], for: id) {
      if setting == .kit { pads.kit = text } else { pads.names.append(text) }
    }
    return pads
  }

  package func waveform(of sound: String, parts: Int, then call: @escaping @Sendable (WaveformFacts?) -> Void) {
    guard let id = SampleID(sound) else { return call(nil) }
    room.waveform(of: id, count: parts) { waveform in
      call(waveform.map { WaveformFacts(seconds: $0.duration.seconds, peaks: $0.peaks) })
    }
  }

  package func waveforms(ofKit kit: String, then call: @escaping @Sendable ([WaveformFacts?]?) -> Void) {
    room.waveforms(ofKit: kit) { waveforms in
      call(waveforms?.map { $0.map { WaveformFacts(seconds: $0.duration.seconds, peaks: $0.peaks) } })
    }
  }

  package func sounds(
    of player: String, token: String, for sender: String,
    then call: @escaping @Sendable (Result<PlayerSounds, PlaySoundProblem>) -> Void
  ) {
    do throws(StreamError) {
      let owner = try cueOwner(player: player, token: token)
      room.sounds(of: owner.name, for: sender) { call($0.mapError { .sound($0) }) }
    } catch {
      call(.failure(.player(error)))
    }
  }

  package func soundFile(
    _ name: String, _ form: PageSounds.Form, for sender: String,
    then call: @escaping @Sendable (Result<[UInt8], PlaySoundProblem>) -> Void
  ) {
    room.soundFile(name, form, for: sender) { call($0.mapError { .sound($0) }) }
  }

  package var status: RoomStatus {
    RoomStatus(
      room.snapshots.now, at: room.anchor.frame(at: .now), listeners: streams.listenerCount)
  }
}
