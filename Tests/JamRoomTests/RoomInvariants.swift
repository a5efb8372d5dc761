import JamCore

@testable import JamRoom

extension RoomState {
  /// What does not hold of the room, whatever several players have done in whatever order.
  /// - Parameter readsAll: whether every setting of every player is read, too.
  func broken(readsAll: Bool) -> [String] {
    var broken: [String] = []
    let seats = roster.occupied.compactMap { roster.seats.seat(of: $0) }
    if Set(seats).count != roster.occupied.count { broken.append("\(roster.occupied.count) players at seats \(seats)") }
    for (id, seat) in zip(roster.occupied, seats) where roster.seats.name(in: seat) != roster[id].name {
      broken.append("\(roster[id].name) sits at seat \(seat), which has another name")
    }
    for player in players {
      for pad in Pad.all {
        let waiting =
          queue.waiting.count { $0.player == player.id && $0.pad == pad }
          + queue.pending.count { $0.player == player.id && $0.pad == pad }
          + queue.scheduled.count { $0.player == player.id && $0.command.hitPad == pad }
        let pending = player.hands.pads[pad.index].light.pending
        if pending != waiting { broken.append("\(player.name)'s pad \(pad.number): \(pending) pending of \(waiting)") }
      }
      let loop = player.looper.loop
      if loop.layers.count > limits.layersPerLoop { broken.append("\(loop.layers.count) layers") }
      for case let layer? in loop.layers {
        if layer.tracks.isEmpty || !layer.isSteps && layer.tracks.count != 1 { broken.append("a layer's tracks") }
        for track in layer.tracks {
          if track.hits.isEmpty { broken.append("an empty track") }
          if track.hits.count > limits.hitsPerLayer { broken.append("\(track.hits.count) hits in a track") }
          if (track.steps != nil) != layer.isSteps { broken.append("a track of another kind than its layer") }
          let isSorted = zip(track.hits, track.hits.dropFirst()).allSatisfy { $0.position <= $1.position }
          if !isSorted { broken.append("\(player.name)'s track is not sorted") }
          // Steps behind the end stay.
          let end = track.steps == nil ? track.length : Track.step * limits.steps
          if !track.hits.allSatisfy({ $0.position >= .zero && $0.position < end }) {
            broken.append("\(player.name)'s hits reach beyond their loop")
          }
          if track.steps == nil, track.length != loop.length { broken.append("a track and its loop differ in length") }
        }
      }
      if loop.grid.shown != loop.steps { broken.append("\(player.name)'s steps are not those that were told") }
      for lane in player.looper.lanes where lane.isPlaying {
        let isThere = lane.current > 0 && lane.slots[lane.current - 1] != nil
        // A block that was taken away is silent until it would have ended.
        if !isThere && lane.begin != lane.boundary { broken.append("a lane plays slot \(lane.current)") }
      }
      guard readsAll, self[player.id] != nil else { continue }
      let settings =
        Setting.everyFixed + player.looper.loop.layerSettings + player.looper.loop.stepSettings
        + Setting.ofLanes(limits) + roster.people.flatMap { Setting.ofChannel($0.name) } + lightSettings()
      for setting in settings where (try? value(of: setting, for: player.id)) == nil {
        broken.append("\(setting) cannot be read")
      }
    }
    var planned = self
    planned.planLoops()
    if planned.schedule.turns != schedule.turns
      || planned.schedule.nextTurn?.beat != schedule.nextTurn?.beat
    {
      broken.append("other turns than planned from scratch")
    }
    if planned.schedule.frames != schedule.frames || planned.schedule.nextHit != schedule.nextHit {
      broken.append("other hits of loops than planned from scratch")
    }
    return broken
  }
}
