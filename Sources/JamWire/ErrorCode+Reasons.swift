public import JamCore

extension Refusal {
  /// The code that programs compare.
  public var code: ErrorCode {
    switch self {
    // MARK: Rights
    case .hostOnly: .hostOnly
    case .ownChannel: .ownChannel
    case .locked: .locked
    case .notHost: .notHost
    case .listener: .listener
    case .madeListener: .madeListener
    case .otherPlayer: .otherPlayer
    case .otherPlayerUnproven: .otherPlayerUnproven
    case .hostUnproven: .hostUnproven
    case .addressUnproven: .addressUnproven
    case .wrongCookie: .wrongCookie
    case .wrongHostWord: .wrongHostWord
    case .wrongToken: .wrongToken
    case .hostNeedsName: .hostNeedsName
    case .wrongPassword: .wrongPassword
    case .passwordNeeded: .passwordNeeded
    case .tooManyGuesses: .tooManyGuesses

    // MARK: People and rooms
    case .notInRoom: .notInRoom
    case .roomFull: .roomFull
    case .addressFull: .addressFull
    case .unprovenAddressFull: .unprovenAddressFull
    case .unprovenFull: .unprovenFull
    case .guestsFull: .guestsFull
    case .keptOut: .keptOut
    case .nameKeptOut: .nameKeptOut
    case .nameOfListener: .nameOfListener
    case .putOut: .putOut
    case .noSuchPlayer: .noSuchPlayer
    case .notKeptOut: .notKeptOut
    case .messageLength: .messageLength
    case .noSuchRoom: .noSuchRoom
    case .badRoomName: .badRoomName
    case .tooManyRooms: .tooManyRooms
    case .noMemoryForRoom: .noMemoryForRoom
    case .tooManyOwnRooms: .tooManyOwnRooms
    case .roomsOpenedTooFast: .roomsOpenedTooFast

    // MARK: Settings
    case .unknownWord: .unknownWord
    case .badName: .badName
    case .notSettable: .notSettable
    case .notReadable: .notReadable
    case .notASwitch: .notASwitch
    case .noSpeakers: .noSpeakers

    // MARK: Scores
    case .onlyInScore: .onlyInScore
    case .notInScore: .notInScore
    case .clockInScore: .clockInScore

    // MARK: Hits
    case .tooManyHitsWaiting: .tooManyHitsWaiting
    case .tooManyOwnHitsWaiting: .tooManyOwnHitsWaiting
    case .tooManyCommandsWaiting: .tooManyCommandsWaiting
    case .kitBeingRead: .kitBeingRead
    case .timetagTooFarAhead: .timetagTooFarAhead
    case .heardWhileLive: .heardWhileLive
    case .heardInFuture: .heardInFuture
    case .heardTooLongAgo: .heardTooLongAgo
    case .heardBeforeJoining: .heardBeforeJoining

    // MARK: Clock
    case .badSignature: .badSignature
    case .tooManyTempoChanges: .tooManyTempoChanges
    case .nudgedTooFar: .nudgedTooFar
    case .tempoFollowsClock: .tempoFollowsClock
    case .anotherClock: .anotherClock
    case .clockWhileVoting: .clockWhileVoting
    case .clockOverruled: .clockOverruled
    case .clockOutOfRange: .clockOutOfRange
    case .noVote: .noVote
    case .voteOutOfRange: .voteOutOfRange
    case .noBuildUp: .noBuildUp
    case .transportStands: .transportStands

    // MARK: Pads and kits
    case .padEmpty: .padEmpty
    case .nothingToBrowse: .nothingToBrowse
    case .kitPadEmpty: .kitPadEmpty
    case .allPadsEmpty: .allPadsEmpty
    case .noSuchKey: .noSuchKey
    case .noKeyInKit: .noKeyInKit
    case .noSuchKit: .noSuchKit
    case .noSuchInstrument: .noSuchInstrument
    case .notOfSamples: .notOfSamples
    case .badProgression: .badProgression
    case .noProgression: .noProgression
    case .noSuchChord: .noSuchChord
    case .noSuchProgression: .noSuchProgression
    case .progressionNameTaken: .progressionNameTaken
    case .progressionNameIsChords: .progressionNameIsChords
    case .progressionOfOther: .progressionOfOther
    case .progressionsFull: .progressionsFull
    case .sceneEmpty: .sceneEmpty
    case .nothingForScene: .nothingForScene
    case .badScene: .badScene
    case .noKitAtIndex: .noKitAtIndex
    case .kitWasDeleted: .kitWasDeleted
    case .kitAway: .kitAway
    case .instrumentAway: .instrumentAway
    case .soundsAway: .soundsAway
    case .firstKitStays: .firstKitStays
    case .kitBeingSaved: .kitBeingSaved
    case .kitUnreadable: .kitUnreadable
    case .kitNotSaved: .kitNotSaved
    case .kitsNotKept: .kitsNotKept
    case .kitNotDeleted: .kitNotDeleted
    case .savedTooMuch: .savedTooMuch
    case .notStretched: .notStretched

    // MARK: Sounds
    case .noSuchSound: .noSuchSound
    case .notBroughtAlong: .notBroughtAlong
    case .soundNotListed: .soundNotListed
    case .nothingBroughtAlong: .nothingBroughtAlong
    case .noSuchCategory: .noSuchCategory
    case .soundsFull: .soundsFull
    case .soundUnreadable: .soundUnreadable
    case .soundNotMade: .soundNotMade
    case .alreadyRecording: .alreadyRecording
    case .nobodyRecords: .nobodyRecords
    case .recordingOfOther: .recordingOfOther
    case .noInput: .noInput
    case .inputTaken: .inputTaken
    case .inputSilent: .inputSilent
    case .inputFailed: .inputFailed
    case .recordingLost: .recordingLost
    case .grabUnderWay: .grabUnderWay
    case .grabTooLong: .grabTooLong
    case .grabTooOld: .grabTooOld
    case .tooFewBarsPlayed: .tooFewBarsPlayed
    case .grabForgotten: .grabForgotten
    case .grabSilent: .grabSilent
    case .cueUnheard: .cueUnheard
    case .clickUnheard: .clickUnheard

    // MARK: Loops
    case .loopEmpty: .loopEmpty
    case .loopFull: .loopFull
    case .overdubEnded: .overdubEnded
    case .loopLengthFixed: .loopLengthFixed
    case .noSuchLayer: .noSuchLayer
    case .noSuchNote: .noSuchNote
    case .notePastEnd: .notePastEnd
    case .layerFull: .layerFull
    case .stepPastEnd: .stepPastEnd
    case .badStepCount: .badStepCount

    // MARK: Blocks and lanes
    case .noSuchBlock: .noSuchBlock
    case .noBlocksOf: .noBlocksOf
    case .noSuchBlockOf: .noSuchBlockOf
    case .nothingSounds: .nothingSounds
    case .barsPastEnd: .barsPastEnd
    case .nothingInBars: .nothingInBars
    case .blockTooLong: .blockTooLong
    case .tooManyHitsInBars: .tooManyHitsInBars
    case .blockFull: .blockFull
    case .readyMadeName: .readyMadeName
    case .blockNameTaken: .blockNameTaken
    case .blocksFull: .blocksFull
    case .allBlocksFull: .allBlocksFull
    case .blocksSavedTooFast: .blocksSavedTooFast
    case .readyMadeBlock: .readyMadeBlock
    case .blockOfOther: .blockOfOther
    case .blockStepPastEnd: .blockStepPastEnd
    case .lastHitOfBlock: .lastHitOfBlock
    case .blockNotKept: .blockNotKept
    case .hitsSilent: .hitsSilent
    case .laneEmpty: .laneEmpty
    case .slotEmpty: .slotEmpty

    // MARK: Projects
    case .badProjectName: .badProjectName
    case .noSuchProject: .noSuchProject
    case .noSuchProjectVersion: .noSuchProjectVersion
    case .projectNameTaken: .projectNameTaken
    case .projectOpenIn: .projectOpenIn
    case .projectBusy: .projectBusy
    case .projectsNotKept: .projectsNotKept
    case .projectUnreadable: .projectUnreadable
    case .projectNotSaved: .projectNotSaved
    case .projectsFull: .projectsFull
    case .projectsSavedTooFast: .projectsSavedTooFast
    case .noSuchPart: .noSuchPart

    // MARK: Takes
    case .takesNotKept: .takesNotKept
    case .noSuchTake: .noSuchTake
    case .badTakeName: .badTakeName
    case .nothingTaken: .nothingTaken
    case .noTakeStarted: .noTakeStarted
    case .takeStarted: .takeStarted
    case .takeNotOver: .takeNotOver
    case .takeTooShort: .takeTooShort
    case .takeNotKept: .takeNotKept
    case .takesBusy: .takesBusy
    case .noSuchForm: .noSuchForm
    case .loopsHaveNoScore: .loopsHaveNoScore
    case .nothingGoesRound: .nothingGoesRound
    case .badExportOption: .badExportOption
    case .noSuchExport: .noSuchExport

    // MARK: Library
    case .searchTooLong: .searchTooLong
    case .badSearchFilter: .badSearchFilter
    case .searchesTooFast: .searchesTooFast
    case .libraryBusy: .libraryBusy
    case .libraryUnreadable: .libraryUnreadable
    case .blockNotShared: .blockNotShared

    // MARK: Undo
    case .nothingToUndo: .nothingToUndo
    case .nothingToRedo: .nothingToRedo
    case .nothingToUndoInRoom: .nothingToUndoInRoom
    case .nothingToRedoInRoom: .nothingToRedoInRoom

    // MARK: Connections
    case .tooManySubscriptions: .tooManySubscriptions
    case .tooManyUnprovenSubscriptions: .tooManyUnprovenSubscriptions
    case .tooManyMessages: .tooManyMessages
    case .tooManyMatches: .tooManyMatches
    case .tooMuchTime: .tooMuchTime
    case .outOfOrder: .outOfOrder
    case .frameUnfinished: .frameUnfinished
    case .connectionsFull: .connectionsFull
    }
  }
}

extension WireError {
  public var code: ErrorCode {
    switch self {
    case .unknownAddress: .unknownAddress
    case .padOutOfRange: .padOutOfRange
    case .outOfRange: .outOfRange
    case .notFinite: .notFinite
    case .wrongType: .wrongType
    case .missing: .argumentMissing
    case .tooManyArguments: .tooManyArguments
    case .unknownWord: .unknownWord
    case .badName(argument: "room", _, _): .badRoomName
    case .badName: .badName
    case .textTooLong: .textTooLong
    case .badSignature: .badSignature
    case .readOnly: .readOnly
    case .notForSending: .sentOnly
    case .notForOthers: .ownOnly
    case .sequenceOutOfPlace: .seqOutOfPlace
    case .heardOutOfPlace: .heardOutOfPlace
    case .patternNotAllowed: .patternNotAllowed
    case .patternBroken: .patternBroken
    case .patternTooLong: .patternTooLong
    case .patternMatchesNothing: .patternMatchesNothing
    }
  }
}

extension OSCError {
  public var code: ErrorCode {
    switch self {
    case .tooLong: .packetTooLong
    case .bundleTooDeep: .bundleTooDeep
    case .empty, .unaligned, .notOSC, .unterminatedAddress, .addressUnprintable, .missingComma, .unterminatedTypes,
      .unknownType, .truncatedArguments, .wrongLength, .textNotUTF8, .bundleTruncated, .elementPastEnd:
      .badPacket
    }
  }
}

extension FramingError {
  public var code: ErrorCode {
    switch self {
    case .tooLong: .packetTooLong
    case .badLength, .badEscape: .badFraming
    }
  }
}
