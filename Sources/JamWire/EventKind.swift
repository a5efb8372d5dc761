internal import JamCore

/// The kinds of events. The table's rows use the kind to name the event that they send.
enum EventKind: Int, CaseIterable, Sendable {
  case value, note, noteOff, instrumentItem, progressionItem, savedProgression, progressionGone, kitItem, sampleItem,
    beat, nextBeat, position,
    loopPosition, hit, receipt, late, meter, clip, loudness,
    chat,
    chatItem, kicked, together, refused, buildUp, blockItem, blockGone, blockHit, buildUpReplaced, votes, journal,
    playerLoop, loopNote, loopLayer, loopNotesEnd,
    playerLatency, playerAway, playerGone, kitGone, sampleGone, stopped, notice,
    undone, redone, ownSteps, roomSteps,
    roomUndone, roomRedone, project, projectItem, projectVersion, projectGone, takeItem, takeGone, take,
    takePlaying, export, searchItem, searchEnd, playerLight, levellerGain, reacted

  init(_ event: Event) {
    switch event {
    case .value: self = .value
    case .note: self = .note
    case .noteOff: self = .noteOff
    case .instrumentItem: self = .instrumentItem
    case .progressionItem: self = .progressionItem
    case .savedProgression: self = .savedProgression
    case .progressionGone: self = .progressionGone
    case .kitItem: self = .kitItem
    case .sampleItem: self = .sampleItem
    case .blockItem: self = .blockItem
    case .blockGone: self = .blockGone
    case .blockHit: self = .blockHit
    case .beat: self = .beat
    case .nextBeat: self = .nextBeat
    case .position: self = .position
    case .loopPosition: self = .loopPosition
    case .hit: self = .hit
    case .receipt: self = .receipt
    case .late: self = .late
    case .meter: self = .meter
    case .clip: self = .clip
    case .loudness: self = .loudness
    case .levellerGain: self = .levellerGain
    case .chat: self = .chat
    case .chatItem: self = .chatItem
    case .reacted: self = .reacted
    case .kicked: self = .kicked
    case .together: self = .together
    case .refused: self = .refused
    case .notice: self = .notice
    case .buildUp: self = .buildUp
    case .buildUpReplaced: self = .buildUpReplaced
    case .votes: self = .votes
    case .journal: self = .journal
    case .playerLoop: self = .playerLoop
    case .loopNote: self = .loopNote
    case .loopLayer: self = .loopLayer
    case .loopNotesEnd: self = .loopNotesEnd
    case .playerLatency: self = .playerLatency
    case .playerLight: self = .playerLight
    case .playerAway: self = .playerAway
    case .playerGone: self = .playerGone
    case .kitGone: self = .kitGone
    case .sampleGone: self = .sampleGone
    case .stopped: self = .stopped
    case .undone: self = .undone
    case .redone: self = .redone
    case .ownSteps: self = .ownSteps
    case .roomSteps: self = .roomSteps
    case .roomUndone: self = .roomUndone
    case .roomRedone: self = .roomRedone
    case .project: self = .project
    case .projectItem: self = .projectItem
    case .projectVersion: self = .projectVersion
    case .projectGone: self = .projectGone
    case .takeItem: self = .takeItem
    case .takeGone: self = .takeGone
    case .take: self = .take
    case .takePlaying: self = .takePlaying
    case .export: self = .export
    case .searchItem: self = .searchItem
    case .searchEnd: self = .searchEnd
    }
  }
}
