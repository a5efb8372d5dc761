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

  func admits(password: String) -> Bool {
    guard let wanted = room.password else { return true }
    // The same work wherever the two differ.
    let given = Array(password.utf8)
    let right = Array(wanted.utf8)
    var difference = given.count ^ right.count
    for i in right.indices { difference |= Int(right[i]) ^ Int(i < given.count ? given[i] : 0) }
    return difference == 0
  }

  var status: RoomStatus {
    RoomStatus(
      room.snapshots.now, at: room.anchor.frame(at: .now), listeners: streams.listenerCount)
  }
}
