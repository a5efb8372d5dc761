internal import JamCore
internal import JamRealtime
import NIOCore

/// `GET /health`: the state of a room, for monitors and for the page.
enum Health {
  static func response(to request: HTTPRequest, room: any WebRoom, backend: any WebBackend) -> Response {
    // Anybody may know that the server is well. Only those who know the password may know more of a
    // room that has one.
    let isOpen = !room.isPasswordProtected || request.password.map(room.admits(password:)) == true
    var json = JSONWriter(capacity: 1_024)
    json.object { json in
      json.value("ok", "status")
      if isOpen { json.value(room.name, "room") }
      json.value(room.isPasswordProtected, "password")
      let clock = backend.clockReport
      if let step = clock.last { write(clock, step, into: &json) }
      guard isOpen else { return }
      write(backend.oscAddress, into: &json)
      write(room.status, into: &json)
    }
    return Response(
      headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
      body: .bytes(ByteBuffer(string: json.text)))
  }

  private static func write(_ address: OSCAddressInfo, into json: inout JSONWriter) {
    json.object("osc") { json in
      json.value(address.port, "port")
      json.array("hosts") { json in
        for host in address.hosts { json.value(host) }
      }
    }
  }

  /// Only where the machine's wall clock was set since the start.
  private static func write(_ clock: ClockReport, _ step: ClockStep, into json: inout JSONWriter) {
    json.object("clock") { json in
      json.value(step.seconds, "stepped")
      json.value(max(0, HostTime.now.milliseconds(since: step.time) / 1_000), "ago")
      json.value(clock.aheadSeconds, "ahead")
    }
  }

  private static func write(_ room: RoomStatus, into json: inout JSONWriter) {
    json.value(room.isPlaying, "playing")
    json.value(room.bpm, "bpm")
    json.value(room.beatsPerBar, "beatsPerBar")
    json.value(room.beatUnit, "beatUnit")
    json.value(room.bar, "bar")
    json.value(room.beat, "beat")
    json.value(room.phase, "phase")
    json.value(room.age, "age")
    json.value(room.listeners, "listeners")
    json.value(room.journal.rawValue, "journal")
    json.array("players") { json in
      for player in room.players {
        json.object { json in
          json.value(player.name, "name")
          json.value(player.colour, "colour")
          json.value(player.isHost, "host")
          json.value(player.role, "role")
          json.value(player.kitName, "kit")
          if player.isAway { json.value(true, "away") }
          if player.latency > 0 { json.value(Double(player.latency), "latency") }
        }
      }
    }
    guard !room.left.isEmpty else { return }
    json.array("left") { json in
      for player in room.left {
        json.object { json in
          json.value(player.name, "name")
          json.value(player.colour, "colour")
          json.value(player.kitName, "kit")
        }
      }
    }
  }
}
