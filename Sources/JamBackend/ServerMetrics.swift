import JamCommand
package import JamCore
import JamDevice
import JamEngine
package import JamOSC
package import JamRealtime
package import JamRoom
package import JamServer
import JamStore
package import JamStream
package import JamWeb
import Synchronization

/// The figures of `/metrics`, read from the parts of a server.
///
/// Thread: any.
package struct ServerMetrics {
  private let rooms: ServerRooms
  private let store: RoomStore?
  private let thread: RoomThread
  private let osc: OSCServer
  private let media: MediaServer
  private let pages: PageFanout
  private let background: BackgroundPool
  private let opened: HostTime

  /// - Parameters:
  ///   - store: the rooms' journals; nil where the server keeps nothing.
  ///   - background: the pool that works for all rooms.
  ///   - opened: when the server was started.
  package init(
    rooms: ServerRooms, store: RoomStore?, thread: RoomThread, osc: OSCServer, media: MediaServer,
    pages: PageFanout, background: BackgroundPool, opened: HostTime
  ) {
    self.rooms = rooms
    self.store = store
    self.thread = thread
    self.osc = osc
    self.media = media
    self.pages = pages
    self.background = background
    self.opened = opened
  }

  /// All figures now.
  package var all: [Metric] {
    roomMetrics() + lightMetrics() + journalMetrics() + threadMetrics() + streamMetrics()
      + oscMetrics() + processMetrics()
  }

  private func roomMetrics() -> [Metric] {
    var voices = Metric(.gauge, "voices", help: "Voices that sound now.")
    var stolen = Metric(.counter, "stolen_voices_total", help: "Voices that had to make room for newer ones.")
    var late = Metric(.counter, "late_buffers_total", help: "Buffers rendered after the next one was due.")
    var cut = Metric(.counter, "cut_catchups_total", help: "Catch-ups that were interrupted for other rooms.")
    var load = Metric(.gauge, "render_load", help: "Share of a core that rendering the room takes.")
    var players = Metric(.gauge, "players", help: "Players in the room.")
    var hits = Metric(.counter, "hits_total", help: "Hits that came.")
    var lateHits = Metric(.counter, "late_hits_total", help: "Hits that sounded later than they were meant.")
    var lateCommands = Metric(
      .counter, "late_commands_total",
      help: "Commands that reached the engine after their frame: the room was kept waiting.")
    var refused = Metric(.counter, "refused_hits_total", help: "Hits and previews for which the engine had no place.")
    var waiting = Metric(.gauge, "waiting_hits", help: "Hits that wait for their frame.")
    var dropped = Metric(.counter, "dropped_commands_total", help: "Commands that a full ring did not take.")
    for room in rooms.all {
      let label = Metric.Label("room", room.name)
      let status = room.parts.engine.status
      let snapshot = room.room.snapshots.now
      voices.add(Double(status.soundingVoices), label)
      stolen.add(Double(status.stolenVoices), label)
      late.add(Double(room.slot.lateBuffers), label)
      cut.add(Double(room.slot.cutCatchUps), label)
      load.add(room.slot.load, label)
      players.add(Double(snapshot.people.count), label)
      hits.add(Double(snapshot.hits), label)
      lateHits.add(Double(snapshot.lateHits), label)
      lateCommands.add(Double(status.lateCommands), label)
      refused.add(Double(status.refusedHits), label)
      waiting.add(Double(status.waitingHits), label)
      dropped.add(Double(room.parts.commands.ring.dropped), label)
    }
    return [voices, stolen, late, cut, load, players, hits, lateHits, lateCommands, refused, waiting, dropped]
  }

  /// Players' lights. Players have numbers here and no names: names are for the people in the room.
  private func lightMetrics() -> [Metric] {
    var lights = Metric(
      .gauge, "player_light", help: "How well a player hears the room: 1 green, 0.5 amber, 0 red.")
    var late = Metric(.gauge, "player_late", help: "Whether the player's light names this cause.")
    for room in rooms.all {
      for person in room.room.snapshots.now.people where person.light != .off {
        let name = Metric.Label("room", room.name)
        let player = Metric.Label("player", String(person.index + 1))
        lights.add(Double(person.light.lamp.number), name, player)
        for cause in PlayerLight.Cause.allCases {
          let isNamed = person.light.cause == cause
          late.add(isNamed ? 1 : 0, name, player, Metric.Label("cause", cause.rawValue))
        }
      }
    }
    return [lights, late]
  }

  /// Figures of the rooms' journals; none where the server keeps nothing.
  private func journalMetrics() -> [Metric] {
    guard let figures = store?.figures else { return [] }
    var failing = Metric(.gauge, "journal_failing", help: "Whether the room cannot be written just now.")
    for room in rooms.all {
      let isFailing = figures.failing[room.room.name.text] != nil
      failing.add(isFailing ? 1 : 0, Metric.Label("room", room.room.name.text))
    }
    return [
      failing,
      Metric(.counter, "journal_bytes_total", help: "Bytes written to journals.", value: Double(figures.bytes)),
      Metric(
        .counter, "journal_syncs_total", help: "Times that journals were made to last.", value: Double(figures.syncs)),
      Metric(
        .counter, "journal_failures_total", help: "Writes that the disk refused.", value: Double(figures.failures)),
      Metric(
        .gauge, "journal_waiting_seconds", help: "How long what waits longest to be written has waited.",
        value: figures.longestWait / 1_000),
    ]
  }

  /// Figures of the room thread. They show which work holds the thread, while everything else
  /// waits.
  private func threadMetrics() -> [Metric] {
    let turns = thread.turns
    var long = Metric(
      .counter, "room_long_turns_total", help: "Turns of the room's thread that took longer than so many seconds.")
    for bound in turns.longerThan { long.add(Double(bound.turns), Metric.Label("seconds", "\(bound.seconds)")) }
    var computing = Metric(
      .counter, "room_long_turns_cpu_total",
      help: "Turns in which the room's thread took more than so many seconds of CPU time.")
    for bound in turns.computedLongerThan {
      computing.add(Double(bound.turns), Metric.Label("seconds", "\(bound.seconds)"))
    }
    var latest = Metric(
      .gauge, "room_turn_longest_since_read_seconds",
      help: "The longest turn since these figures were read last: by the clock, and in CPU time.")
    for (name, part) in [("wall", turns.whole), ("cpu", turns.computing)] {
      latest.add(Double(part.takeLongest()) / 1e9, Metric.Label("clock", name))
    }
    var seconds = Metric(.counter, "room_turn_seconds_total", help: "Time that turns of the room's thread took.")
    var longest = Metric(.gauge, "room_turn_longest_seconds", help: "The longest turn so far.")
    for (name, part) in [("whole", turns.whole), ("sockets", turns.sockets), ("inbox", turns.inbox)] {
      let label = Metric.Label("part", name)
      seconds.add(Double(part.nanoseconds.load(ordering: .relaxed)) / 1e9, label)
      longest.add(Double(part.longest.load(ordering: .relaxed)) / 1e9, label)
    }
    var work = Metric(
      .counter, "osc_work_seconds_total",
      help: "CPU time that packets took, the ten dearest addresses; plain hits are not counted.")
    var packets = Metric(
      .counter, "osc_work_packets_total",
      help: "Packets of these addresses, and steps in which a room was told.")
    var dearest = Metric(
      .gauge, "osc_work_longest_seconds", help: "CPU time that the dearest packet of these addresses took.")
    for cell in osc.counters.work.dearest.prefix(10) {
      let label = Metric.Label("address", cell.address)
      work.add(Double(cell.nanoseconds.load(ordering: .relaxed)) / 1e9, label)
      packets.add(Double(cell.packets.load(ordering: .relaxed)), label)
      dearest.add(Double(cell.longest.load(ordering: .relaxed)) / 1e9, label)
    }
    return [
      Metric(.counter, "room_turns_total", help: "Turns of the room's thread.", value: Double(turns.count)), long,
      computing, seconds,
      Metric(
        .counter, "room_turn_cpu_seconds_total",
        help: "CPU time that turns of the room's thread took.",
        value: Double(turns.computing.nanoseconds.load(ordering: .relaxed)) / 1e9),
      longest, latest, work, packets, dearest,
    ]
  }

  private func streamMetrics() -> [Metric] {
    var listeners = Metric(.gauge, "stream_listeners", help: "Listeners of an encoder.")
    var seconds = Metric(.counter, "encode_seconds_total", help: "CPU time that an encoder took.")
    var packets = Metric(.counter, "encoded_packets_total", help: "Packets that an encoder made.")
    var skipped = Metric(.counter, "skipped_frames_total", help: "Frames that an encoder came too late for.")
    for room in rooms.all {
      for encoder in room.streams.encoderStatistics {
        // The place of a cue belongs to the label, because a player may have left and another one
        // come with the same name.
        let profile = encoder.profile.query + (encoder.cue.map { "&cue=\($0)" } ?? "")
        let labels = [Metric.Label("room", room.name), Metric.Label("profile", profile)]
        listeners.add(Double(encoder.listeners), labels[0], labels[1])
        seconds.add(encoder.encodeSeconds, labels[0], labels[1])
        packets.add(Double(encoder.packets), labels[0], labels[1])
        skipped.add(Double(encoder.skippedFrames.count), labels[0], labels[1])
      }
    }
    let rtp = media.statistics
    let ogg = pages.statistics
    var kinds = Metric(.gauge, "listeners", help: "Listeners by kind.")
    kinds.add(Double(rtp.rtpListeners), Metric.Label("kind", "rtp"))
    kinds.add(Double(rtp.webRTC.listeners), Metric.Label("kind", "webrtc"))
    kinds.add(Double(ogg.listeners), Metric.Label("kind", "ogg"))
    return [listeners, seconds, packets, skipped, kinds] + rtp.metrics + rtp.webRTCMetrics + ogg.metrics
      + (media.loss?.metrics ?? [])
  }

  private func oscMetrics() -> [Metric] {
    func count(_ name: String, _ help: String, _ value: UInt64) -> Metric {
      Metric(.counter, name, help: help, value: Double(value))
    }
    let counters = osc.counters
    return [
      count("osc_packets_total", "OSC packets that came.", counters.packets.load(ordering: .relaxed)),
      count("osc_messages_total", "OSC messages that were read.", counters.messages.load(ordering: .relaxed)),
      count("osc_refused_total", "Packets and messages answered by /error.", counters.refused.load(ordering: .relaxed)),
      count(
        "osc_flooded_total", "Packets dropped: their sender sends too much.",
        counters.flooded.load(ordering: .relaxed)),
      count(
        "osc_refused_connections_total", "Control connections refused: their host or all together hold too many.",
        counters.refusedConnections.load(ordering: .relaxed)),
      count(
        "osc_unfinished_total", "Control connections ended in the middle of a frame.",
        counters.unfinished.load(ordering: .relaxed)),
      count("osc_repeated_total", "Packets dropped as sent twice.", counters.repeated.load(ordering: .relaxed)),
      count(
        "osc_touches_total", "Messages of touched controls (/…/z), which are ignored.",
        counters.touches.load(ordering: .relaxed)),
      count(
        "osc_wrong_port_total", "OSC packets that came by UDP to the port of the page.",
        counters.wrongPort.load(ordering: .relaxed)),
      count(
        "osc_lost_total", "Numbered packets that were waited for in vain.", counters.lost.load(ordering: .relaxed)),
      count(
        "osc_late_total", "Messages of numbered packets dropped: others that follow them came long before.",
        counters.late.load(ordering: .relaxed)),
      count(
        "osc_kernel_drops_total", "Datagrams dropped by full socket buffers.",
        counters.kernelDrops),
      count(
        "osc_replaced_total", "Values that a newer one of the same control replaced before their turn.",
        counters.replaced.load(ordering: .relaxed)),
      count(
        "osc_unsent_total", "Feedback dropped: too much for its subscriber.", counters.unsent.load(ordering: .relaxed)),
      count(
        "osc_unproven_total", "Answers withheld from unproven addresses.", counters.unproven.load(ordering: .relaxed)),
      count(
        "background_refused_total", "Background work that was refused: too much waited.", background.refused),
      count("room_thread_dropped_total", "Calls that a full room thread refused.", thread.dropped),
      Metric(
        .gauge, "osc_waiting", help: "Packets that wait: their sender has used its share of the room's thread.",
        value: Double(counters.waiting.load(ordering: .relaxed))),
      Metric(
        .gauge, "background_waiting", help: "Background work that waits.", value: Double(background.waiting)),
      Metric(
        .gauge, "osc_endpoints", help: "Senders known.", value: Double(counters.endpoints.load(ordering: .relaxed))),
      Metric(
        .gauge, "osc_subscribers", help: "Subscribers of feedback.",
        value: Double(counters.subscribers.load(ordering: .relaxed))),
      Metric(
        .gauge, "osc_connections", help: "TCP and WebSocket control connections.",
        value: Double(counters.connections.load(ordering: .relaxed))),
      Metric(
        .gauge, "oscquery_views", help: "Views of rooms that are kept for OSCQuery.",
        value: Double(counters.queryViews.load(ordering: .relaxed))),
      Metric(
        .gauge, "oscquery_clients", help: "WebSockets of OSCQuery; they are among osc_connections.",
        value: Double(counters.queryClients.load(ordering: .relaxed))),
    ]
  }

  private func processMetrics() -> [Metric] {
    let clock = osc.counters.clock.withLock { $0 }
    return [
      Metric(
        .counter, "clock_steps_total", help: "Times that the machine's wall clock was set.",
        value: Double(clock.steps)),
      Metric(
        .gauge, "clock_ahead_seconds", help: "The machine's wall clock, less the clock that /ping tells.",
        value: clock.aheadSeconds),
      Metric(.gauge, "resident_bytes", help: "Resident memory.", value: Double(ProcessMemory.resident)),
      Metric(
        .gauge, "uptime_seconds", help: "Since the start.", value: HostTime.now.milliseconds(since: opened) / 1_000),
    ]
  }
}
