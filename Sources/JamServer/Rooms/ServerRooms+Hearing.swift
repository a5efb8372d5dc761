import JamCore
import JamDevice
import JamEngine
import JamRoom
package import JamStream

extension ServerRooms {
  /// Has the rooms look at their players' lights. Call it once a second. Rooms without lights, and
  /// without receiver reports, are left alone.
  package func lookAtHearing(_ watch: inout HearingWatch, _ media: MediaStatistics) {
    let reports = watch.take(media.receptions)
    let lit = all.filter { room in
      reports[room.room.name.text] != nil || room.room.snapshots.now.hasLights
    }
    // These packets have no room: a media thread that comes too late does so for all rooms.
    let unsent = Int(clamping: media.skippedPackets &+ media.webRTC.skippedPackets)
    let counts = lit.map { ($0.room.name, $0.lateEvents &+ unsent) }
    let events = watch.take(Dictionary(counts) { $1 })
    for room in lit.map(\.room) {
      let (late, reports) = (events[room.name] ?? 0, reports[room.name.text] ?? [])
      room.thread.submit {
        room.assumeIsolated { $0.lookAtHearing(serverEvents: late, reports: reports) }
      }
    }
  }
}

extension ServerRoom {
  /// Buffers, commands and packets for which the server came too late, since the room was opened.
  fileprivate var lateEvents: Int {
    let skipped = streams.encoderStatistics.reduce(Int64(0)) { $0 &+ $1.skippedFrames.count / 960 }
    return slot.lateBuffers &+ parts.engine.status.lateCommands &+ Int(clamping: skipped)
  }
}
