public import JamCore

extension Refusal {
  /// The code that programs compare. A new case's code is its name, in small letters and hyphens.
  public var code: ErrorCode { ErrorCode(codeText) }

  private var codeText: String {
    switch self {
    // MARK: Rights
    case .hostOnly: "host-only"
    case .ownChannel: "own-channel"
    case .locked: "locked"
    case .notHost: "not-host"
    case .listener: "listener"
    case .madeListener: "made-listener"
    case .atTheDoor: "at-the-door"
    case .unheardAtDoor: "unheard-at-door"
    case .otherPlayer: "other-player"
    case .otherPlayerUnproven: "other-player-unproven"
    case .hostUnproven: "host-unproven"
    case .addressUnproven: "address-unproven"
    case .wrongCookie: "wrong-cookie"
    case .wrongHostWord: "wrong-host-word"
    case .wrongToken: "wrong-token"
    case .hostNeedsName: "host-needs-name"
    case .wrongPassword: "wrong-password"
    case .passwordNeeded: "password-needed"
    case .tooManyGuesses: "too-many-guesses"

    // MARK: People and rooms
    case .notInRoom: "not-in-room"
    case .roomFull: "room-full"
    case .addressFull: "address-full"
    case .unprovenAddressFull: "unproven-address-full"
    case .unprovenFull: "unproven-full"
    case .guestsFull: "guests-full"
    case .keptOut: "kept-out"
    case .nameKeptOut: "name-kept-out"
    case .nameOfListener: "name-of-listener"
    case .putOut: "put-out"
    case .noSuchPlayer: "no-such-player"
    case .notKeptOut: "not-kept-out"
    case .seatEmpty: "seat-empty"
    case .messageLength: "message-length"
    case .reactionsTooFast: "reactions-too-fast"
    case .noSuchRoom: "no-such-room"
    case .badRoomName: "bad-room-name"
    case .tooManyRooms: "too-many-rooms"
    case .noMemoryForRoom: "no-memory-for-room"
    case .tooManyOwnRooms: "too-many-own-rooms"
    case .roomsOpenedTooFast: "rooms-opened-too-fast"

    // MARK: Settings
    case .unknownWord: "unknown-word"
    case .badName: "bad-name"
    case .notSettable: "not-settable"
    case .notReadable: "not-readable"
    case .notASwitch: "not-a-switch"
    case .noSpeakers: "no-speakers"

    // MARK: Scores
    case .onlyInScore: "only-in-score"
    case .notInScore: "not-in-score"
    case .clockInScore: "clock-in-score"

    // MARK: Hits
    case .tooManyHitsWaiting: "too-many-hits-waiting"
    case .tooManyOwnHitsWaiting: "too-many-own-hits-waiting"
    case .tooManyCommandsWaiting: "too-many-commands-waiting"
    case .kitBeingRead: "kit-being-read"
    case .timetagTooFarAhead: "timetag-too-far-ahead"
    case .heardWhileLive: "heard-while-live"
    case .heardInFuture: "heard-in-future"
    case .heardTooLongAgo: "heard-too-long-ago"
    case .heardBeforeJoining: "heard-before-joining"

    // MARK: Clock
    case .badSignature: "bad-signature"
    case .tooManyTempoChanges: "too-many-tempo-changes"
    case .nudgedTooFar: "nudged-too-far"
    case .tempoFollowsClock: "tempo-follows-clock"
    case .anotherClock: "another-clock"
    case .clockWhileVoting: "clock-while-voting"
    case .clockOverruled: "clock-overruled"
    case .clockOutOfRange: "clock-out-of-range"
    case .noVote: "no-vote"
    case .voteOutOfRange: "vote-out-of-range"
    case .noBuildUp: "no-build-up"
    case .transportStands: "transport-stands"

    // MARK: Pads and kits
    case .padEmpty: "pad-empty"
    case .nothingToBrowse: "nothing-to-browse"
    case .kitPadEmpty: "kit-pad-empty"
    case .allPadsEmpty: "all-pads-empty"
    case .noSuchKey: "no-such-key"
    case .noKeyInKit: "no-key-in-kit"
    case .noSuchKit: "no-such-kit"
    case .noSuchInstrument: "no-such-instrument"
    case .notOfSamples: "not-of-samples"
    case .badProgression: "bad-progression"
    case .noProgression: "no-progression"
    case .noSuchChord: "no-such-chord"
    case .noSuchProgression: "no-such-progression"
    case .progressionNameTaken: "progression-name-taken"
    case .progressionNameIsChords: "progression-name-is-chords"
    case .progressionOfOther: "progression-of-other"
    case .progressionsFull: "progressions-full"
    case .sceneEmpty: "scene-empty"
    case .nothingForScene: "nothing-for-scene"
    case .noLaneForGroove: "no-lane-for-groove"
    case .noGroovePart: "no-groove-part"
    case .badScene: "bad-scene"
    case .noKitAtIndex: "no-kit-at-index"
    case .kitWasDeleted: "kit-was-deleted"
    case .kitAway: "kit-away"
    case .instrumentAway: "instrument-away"
    case .soundsAway: "sounds-away"
    case .firstKitStays: "first-kit-stays"
    case .kitBeingSaved: "kit-being-saved"
    case .kitUnreadable: "kit-unreadable"
    case .kitNotSaved: "kit-not-saved"
    case .kitsNotKept: "kits-not-kept"
    case .kitNotDeleted: "kit-not-deleted"
    case .savedTooMuch: "saved-too-much"
    case .notStretched: "not-stretched"

    // MARK: Sounds
    case .noSuchSound: "no-such-sound"
    case .notBroughtAlong: "not-brought-along"
    case .soundNotListed: "sound-not-listed"
    case .nothingBroughtAlong: "nothing-brought-along"
    case .noSuchCategory: "no-such-category"
    case .soundsFull: "sounds-full"
    case .soundUnreadable: "sound-unreadable"
    case .soundNotMade: "sound-not-made"
    case .alreadyRecording: "already-recording"
    case .nobodyRecords: "nobody-records"
    case .recordingOfOther: "recording-of-other"
    case .noInput: "no-input"
    case .inputTaken: "input-taken"
    case .inputSilent: "input-silent"
    case .inputFailed: "input-failed"
    case .recordingLost: "recording-lost"
    case .grabUnderWay: "grab-under-way"
    case .grabTooLong: "grab-too-long"
    case .grabTooOld: "grab-too-old"
    case .tooFewBarsPlayed: "too-few-bars-played"
    case .grabForgotten: "grab-forgotten"
    case .grabSilent: "grab-silent"
    case .cueUnheard: "cue-unheard"
    case .clickUnheard: "click-unheard"

    // MARK: Loops
    case .loopEmpty: "loop-empty"
    case .loopFull: "loop-full"
    case .overdubEnded: "overdub-ended"
    case .loopLengthFixed: "loop-length-fixed"
    case .noSuchLayer: "no-such-layer"
    case .noSuchLayerOf: "no-such-layer-of"
    case .ownLayer: "own-layer"
    case .layerOnLoan: "layer-on-loan"
    case .notBorrowed: "not-borrowed"
    case .playerMuted: "player-muted"
    case .noSuchNote: "no-such-note"
    case .notePastEnd: "note-past-end"
    case .layerFull: "layer-full"
    case .stepPastEnd: "step-past-end"
    case .badStepCount: "bad-step-count"
    case .nothingToCatch: "nothing-to-catch"
    case .catchWhileRecording: "catch-while-recording"

    // MARK: Blocks and lanes
    case .noSuchBlock: "no-such-block"
    case .noBlocksOf: "no-blocks-of"
    case .noSuchBlockOf: "no-such-block-of"
    case .nothingSounds: "nothing-sounds"
    case .barsPastEnd: "bars-past-end"
    case .nothingInBars: "nothing-in-bars"
    case .blockTooLong: "block-too-long"
    case .tooManyHitsInBars: "too-many-hits-in-bars"
    case .blockFull: "block-full"
    case .readyMadeName: "ready-made-name"
    case .blockNameTaken: "block-name-taken"
    case .blocksFull: "blocks-full"
    case .allBlocksFull: "all-blocks-full"
    case .blocksSavedTooFast: "blocks-saved-too-fast"
    case .readyMadeBlock: "ready-made-block"
    case .blockOfOther: "block-of-other"
    case .blockStepPastEnd: "block-step-past-end"
    case .lastHitOfBlock: "last-hit-of-block"
    case .blockNotKept: "block-not-kept"
    case .hitsSilent: "hits-silent"
    case .laneEmpty: "lane-empty"
    case .slotEmpty: "slot-empty"

    // MARK: Projects
    case .badProjectName: "bad-project-name"
    case .noSuchProject: "no-such-project"
    case .noSuchProjectVersion: "no-such-project-version"
    case .projectNameTaken: "project-name-taken"
    case .projectOpenIn: "project-open-in"
    case .projectBusy: "project-busy"
    case .projectsNotKept: "projects-not-kept"
    case .projectUnreadable: "project-unreadable"
    case .projectNotSaved: "project-not-saved"
    case .projectsFull: "projects-full"
    case .projectsSavedTooFast: "projects-saved-too-fast"
    case .noSuchPart: "no-such-part"

    // MARK: Takes
    case .takesNotKept: "takes-not-kept"
    case .noSuchTake: "no-such-take"
    case .badTakeName: "bad-take-name"
    case .nothingTaken: "nothing-taken"
    case .noTakeStarted: "no-take-started"
    case .takeStarted: "take-started"
    case .takeNotOver: "take-not-over"
    case .takeTooShort: "take-too-short"
    case .takeNotKept: "take-not-kept"
    case .takesBusy: "takes-busy"
    case .noSuchForm: "no-such-form"
    case .loopsHaveNoScore: "loops-have-no-score"
    case .nothingGoesRound: "nothing-goes-round"
    case .badExportOption: "bad-export-option"
    case .noSuchExport: "no-such-export"
    case .tooManyExports: "too-many-exports"
    case .takesKeptTooFast: "takes-kept-too-fast"
    case .starredTakesFull: "starred-takes-full"

    // MARK: Library
    case .searchTooLong: "search-too-long"
    case .badSearchFilter: "bad-search-filter"
    case .searchesTooFast: "searches-too-fast"
    case .libraryBusy: "library-busy"
    case .libraryUnreadable: "library-unreadable"
    case .blockNotShared: "block-not-shared"

    // MARK: Undo
    case .nothingToUndo: "nothing-to-undo"
    case .nothingToRedo: "nothing-to-redo"
    case .nothingToUndoInRoom: "nothing-to-undo-in-room"
    case .nothingToTakeBack: "nothing-to-take-back"
    case .nothingToRedoInRoom: "nothing-to-redo-in-room"

    // MARK: Connections
    case .tooManySubscriptions: "too-many-subscriptions"
    case .tooManyUnprovenSubscriptions: "too-many-unproven-subscriptions"
    case .tooManyWatchers: "too-many-watchers"
    case .tooManyMessages: "too-many-messages"
    case .tooManyMatches: "too-many-matches"
    case .tooMuchTime: "too-much-time"
    case .outOfOrder: "out-of-order"
    case .frameUnfinished: "frame-unfinished"
    case .connectionsFull: "connections-full"
    case .unknownController: "unknown-controller"
    case .controllerTaken: "controller-taken"
    case .ownPort: "own-port"
    case .wrongPort: "wrong-port"
    }
  }
}

extension WireError {
  public var code: ErrorCode { ErrorCode(codeText) }

  private var codeText: String {
    switch self {
    case .unknownAddress: "unknown-address"
    case .padOutOfRange: "pad-out-of-range"
    case .outOfRange: "out-of-range"
    case .notFinite: "not-finite"
    case .wrongType: "wrong-type"
    case .missing: "argument-missing"
    case .tooManyArguments, .pairForOne: "too-many-arguments"
    case .unknownWord: "unknown-word"
    case .badName(argument: "room", _, _): "bad-room-name"
    case .badName: "bad-name"
    case .textTooLong: "text-too-long"
    case .badSignature: "bad-signature"
    case .readOnly: "read-only"
    case .notForSending: "sent-only"
    case .notForOthers: "own-only"
    case .sequenceOutOfPlace: "seq-out-of-place"
    case .heardOutOfPlace: "heard-out-of-place"
    case .patternNotAllowed: "pattern-not-allowed"
    case .patternBroken: "pattern-broken"
    case .patternTooLong: "pattern-too-long"
    case .patternMatchesNothing: "pattern-matches-nothing"
    case .noValue: "no-value"
    case .noRange: "no-range"
    }
  }
}

extension OSCError {
  public var code: ErrorCode { ErrorCode(codeText) }

  private var codeText: String {
    switch self {
    case .tooLong: "packet-too-long"
    case .bundleTooDeep: "bundle-too-deep"
    case .empty, .unaligned, .notOSC, .unterminatedAddress, .addressUnprintable, .missingComma, .unterminatedTypes,
      .unknownType, .truncatedArguments, .wrongLength, .textNotUTF8, .bundleTruncated, .elementPastEnd:
      "bad-packet"
    }
  }
}

extension FramingError {
  public var code: ErrorCode { ErrorCode(codeText) }

  private var codeText: String {
    switch self {
    case .tooLong: "packet-too-long"
    case .badLength, .badEscape: "bad-framing"
    }
  }
}
