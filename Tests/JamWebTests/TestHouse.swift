import Synchronization

@testable import JamWeb

/// A house of rooms that only say what the test told them.
final class TestHouse: WebHouse {
  let rooms: [String: TestRoom]
  let figures: [Metric]
  let hosts: [String]

  init(rooms: [TestRoom] = [TestRoom()], figures: [Metric] = [], hosts: [String] = ["192.168.1.20"]) {
    self.rooms = Dictionary(uniqueKeysWithValues: rooms.map { ($0.name, $0) })
    self.figures = figures
    self.hosts = hosts
  }

  func room(named name: String?) -> (any WebRoom)? { rooms[name ?? "main"] }
  var oscAddress: OSCAddressInfo { OSCAddressInfo(port: 8000, hosts: hosts) }
  func metrics() -> [Metric] { figures }
}

struct TestRoom: WebRoom {
  var name = "main"
  var password: String?
  var players: [PlayerStatus] = []

  var isPasswordProtected: Bool { password != nil }
  func admits(password: String) -> Bool { self.password == nil || self.password == password }
  var status: RoomStatus {
    RoomStatus(players: players, bpm: 120, bar: 3, beat: 2, phase: 0.5, age: 12.5, listeners: 4)
  }
}
