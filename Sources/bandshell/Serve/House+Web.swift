import JamCore
import JamOSC
import JamRealtime
import JamRoom
import JamStream
import JamWeb

/// What the web server sees of the house.
extension House: WebHouse {
  func room(named name: String?) -> (any WebRoom)? {
    guard let name else { return rooms.room(options.rooms[0]) }
    return PlayerName(name).flatMap(rooms.room)
  }

  var oscAddress: OSCAddressInfo { OSCAddressInfo(port: Int(osc.port), hosts: oscHosts.hosts(at: .now)) }
}

extension HouseRoom: WebRoom {
  var name: String { room.name.text }
  var isPasswordProtected: Bool { room.password != nil }
  var ogg: OggMount { mount }
  var tape: MixTape { parts.tape.tape }

  func admits(password: String) -> Bool { room.admits(password: password) }

  func cueOwner(player: String, token: String) throws(StreamError) -> CueOwner {
    guard let name = PlayerName(player) else { throw .player(player) }
    switch room.desk.admits(name, token: token) {
    case .admitted(let name): return CueOwner(name: name, token: token)
    case .nobody: throw .player(player)
    case .wrongToken: throw .token(player: name.text)
    }
  }

  var status: RoomStatus {
    RoomStatus(
      room.snapshots.now, at: room.anchor.frame(at: .now), listeners: streams.listenerCount)
  }
}
