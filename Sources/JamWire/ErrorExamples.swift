internal import JamCore

/// One error for each code, for the protocol's documentation.
enum ErrorExamples {
  /// In the order of the codes.
  static var all: [(code: ErrorCode, text: String)] {
    let refusals = Refusal.examples.map { ($0.code, $0.words) }
    let messages = WireError.examples.map { ($0.code, $0.description) }
    let packets = OSCError.examples.map { ($0.code, $0.description) }
    let framing = FramingError.badLength(7)
    return refusals + messages + packets + [(framing.code, framing.description)]
  }
}

extension Refusal {
  private static let name = PlayerName("anna")!
  private static let other = PlayerName("bert")!
  private static let room = PlayerName("main")!
  private static let attic = PlayerName("attic")!
  private static let dots = PlayerName("..")!
  private static let pad = Pad(3)!

  /// One refusal of each case.
  static let examples: [Refusal] = [
    // Rights
    .hostOnly(.kick),
    .ownChannel,
    .locked(.loops),
    .notHost(name),
    .listener,
    .madeListener(name),
    .atTheDoor,
    .unheardAtDoor(room: room, player: name),
    .otherPlayer(name),
    .otherPlayerUnproven(name),
    .hostUnproven,
    .addressUnproven(for: .hostWord),
    .wrongCookie,
    .wrongHostWord,
    .wrongToken,
    .hostNeedsName,
    .wrongPassword(room: room),
    .passwordNeeded(room: room),
    .tooManyGuesses,
    // People and rooms
    .notInRoom(room),
    .roomFull(room, most: 64),
    .addressFull(room: room, count: 32),
    .unprovenAddressFull(room: room, count: 8),
    .unprovenFull(room: room, count: 32),
    .guestsFull(room: room, count: 32, ofAddress: false),
    .keptOut(name: name, room: room, seconds: 600),
    .nameKeptOut(name, room: room),
    .nameOfListener(name),
    .putOut(room: room),
    .noSuchPlayer(name, here: [other]),
    .notKeptOut(name, keptOut: [other]),
    .seatEmpty(3),
    .messageLength,
    .noSuchRoom(attic, open: [room]),
    .badRoomName(dots),
    .tooManyRooms(most: 256),
    .noMemoryForRoom,
    .tooManyOwnRooms(4),
    .roomsOpenedTooFast,
    // Settings
    .unknownWord(.grid, "1/5"),
    .badName(.block, mostCharacters: 32),
    .notSettable,
    .notReadable,
    .notASwitch,
    .noSpeakers,
    // Scores
    .onlyInScore(.layerHit),
    .notInScore,
    .clockInScore,
    // Hits
    .tooManyHitsWaiting(4_096),
    .tooManyOwnHitsWaiting(1_024),
    .tooManyCommandsWaiting(4_096),
    .kitBeingRead,
    .timetagTooFarAhead(.seconds(60), most: .seconds(10)),
    .heardWhileLive,
    .heardInFuture(96_000, by: .seconds(1)),
    .heardTooLongAgo(96_000, by: .seconds(3), most: .seconds(2)),
    .heardBeforeJoining(96_000, by: .seconds(1)),
    // Clock
    .badSignature(beatsPerBar: 33, beatUnit: 4),
    .tooManyTempoChanges(most: 2_048),
    .nudgedTooFar,
    .tempoFollowsClock(of: name),
    .anotherClock(of: name),
    .clockWhileVoting,
    .clockOverruled,
    .clockOutOfRange(bpm: 310),
    .noVote,
    .voteOutOfRange,
    .noBuildUp,
    .transportStands,
    // Pads and kits
    .padEmpty(pad),
    .nothingToBrowse(pad),
    .kitPadEmpty(pad, kit: "starter"),
    .allPadsEmpty,
    .noSuchKey("H"),
    .noKeyInKit,
    .noSuchInstrument("acid-bas", near: "acid-bass"),
    .notOfSamples(.cutoff, instrument: "grand-piano"),
    .badProgression("I V xi", .notAChord("xi", place: 3)), .noProgression,
    .noSuchChord(5, count: 4),
    .noSuchProgression("Rain"), .progressionNameTaken("Axis"), .progressionNameIsChords("Am F"),
    .progressionOfOther("Rain", owner: PlayerName("ann")!),
    .progressionsFull(most: 64), .sceneEmpty(3), .nothingForScene, .badScene("ann sings"),
    .noSuchKit("startr", near: "starter", known: ["starter", "tr808"]),
    .noKitAtIndex(9, count: 4),
    .kitWasDeleted(3),
    .kitAway("mine"),
    .instrumentAway("cello"),
    .soundsAway(2),
    .firstKitStays("starter"),
    .kitBeingSaved,
    .kitUnreadable("kick.wav: no such file; put it into the kit's folder or correct its name in kit.json"),
    .kitNotSaved("mine: cannot be written (no space left on device); check permissions and free space"),
    .kitsNotKept,
    .kitNotDeleted("starter: was not saved here, but came with the server"),
    .savedTooMuch("mine: cannot be kept: you have saved much in a short time; wait some minutes"),
    .notStretched("stretched sounds take 256 MiB already: stretch this or others less"),
    // Sounds
    .noSuchSound("bark", isPreview: false),
    .notBroughtAlong("starter/1"),
    .soundNotListed("bark"),
    .nothingBroughtAlong,
    .noSuchCategory("bells", known: ["kick", "snare"]),
    .soundsFull(most: 256, mebibytes: 256),
    .soundUnreadable("bark: no such sound is kept here; bring it along again"),
    .soundNotMade("bark: is silent; replace it or leave the pad out"),
    .alreadyRecording(name),
    .nobodyRecords,
    .recordingOfOther(name),
    .noInput,
    .inputTaken,
    .inputSilent,
    .inputFailed("there is no device 'nowhere' to record from"),
    .recordingLost,
    .grabUnderWay,
    .grabTooLong(bars: 64, seconds: 128, most: 60),
    .grabTooOld(bars: 2, seconds: 90, most: 60),
    .tooFewBarsPlayed(1),
    .grabForgotten(seconds: 20),
    .grabSilent("2 bars of anna"),
    .cueUnheard(room: room, player: name),
    .clickUnheard(room: room, player: name),
    // Loops
    .loopEmpty,
    .loopFull(layers: 64),
    .overdubEnded(layers: 64),
    .loopLengthFixed(bars: 2),
    .noSuchLayer(7, layers: [1, 2]),
    .noSuchNote(96, layer: 2),
    .notePastEnd(beat: 17, length: 16),
    .layerFull(notes: 4_096),
    .stepPastEnd(pad, step: 17, count: 16),
    .badStepCount,
    // Blocks and lanes
    .noSuchBlock("none"),
    .noBlocksOf(name),
    .noSuchBlockOf(name, "none"),
    .nothingSounds,
    .barsPastEnd(from: 2, bars: 2, count: 2),
    .nothingInBars,
    .blockTooLong(mostBars: 64),
    .tooManyHitsInBars(most: 16_384),
    .blockFull(hits: 16_384),
    .readyMadeName("rock fill"),
    .blockNameTaken("mine"),
    .blocksFull(most: 224),
    .allBlocksFull(most: 256, owners: [BlockOwner(name: "anna", count: 200)]),
    .blocksSavedTooFast(secondsPerBlock: 30),
    .readyMadeBlock("rock fill"),
    .blockOfOther("mine", owner: name, .change),
    .blockStepPastEnd("mine", step: 17, count: 16),
    .lastHitOfBlock,
    .blockNotKept("mine: cannot be kept: this server keeps nothing; start it with --data DIR, or without --data none"),
    .hitsSilent("bark: no such sound is kept here; bring it along again"),
    .laneEmpty(1),
    .slotEmpty(lane: 1, slot: 2, .move),
    // Projects
    .badProjectName,
    .noSuchProject("none"),
    .noSuchProjectVersion("Harbour", 7),
    .projectNameTaken("Harbour"),
    .projectOpenIn("Harbour", room: attic),
    .projectBusy,
    .projectsNotKept,
    .projectUnreadable("Harbour", reason: "it was made by a newer bandshell"),
    .projectNotSaved(reason: "the server's disk takes nothing just now"),
    .projectsFull(most: 10_000),
    .projectsSavedTooFast(secondsPerProject: 10),
    .noSuchPart(name, left: [other]),
    // Takes
    .takesNotKept,
    .noSuchTake("2026-11-23-193012"),
    .badTakeName,
    .nothingTaken,
    .noTakeStarted,
    .takeStarted,
    .takeNotOver("2026-11-23-193012"),
    .takeTooShort("2026-11-23-193012", bars: 16),
    .takeNotKept(reason: "the server's disk takes nothing just now"),
    .takesBusy, .noSuchForm("mp3"), .loopsHaveNoScore, .nothingGoesRound, .badExportOption("by=colour"),
    .noSuchExport("takes/2026-11-23-193012.stems.zip"),
    .tooManyExports(most: 4), .takesKeptTooFast(secondsPerTake: 30), .starredTakesFull(most: 900),
    // Library
    .searchTooLong(mostBytes: SearchItem.mostBytes),
    .badSearchFilter("tempo:fast"),
    .searchesTooFast(perSecond: 20),
    .libraryBusy,
    .libraryUnreadable,
    .blockNotShared("cellar/ann/my beat"),
    // Undo
    .nothingToUndo,
    .nothingToRedo,
    .nothingToUndoInRoom,
    .nothingToTakeBack(name),
    .nothingToRedoInRoom,
    // Connections
    .tooManySubscriptions(32),
    .tooManyUnprovenSubscriptions,
    .tooManyMessages(perSecond: 20_000),
    .tooManyMatches(perSecond: 2_000),
    .tooMuchTime,
    .outOfOrder(milliseconds: 35, most: 20),
    .frameUnfinished(seconds: 10, bytes: 3),
    .connectionsFull(most: 1_024),
    .ownPort(8_000),
    .wrongPort(web: 8_088, osc: 8_000),
  ]
}

extension WireError {
  /// One error for each code that no refusal has.
  fileprivate static let examples: [WireError] = [
    .unknownAddress("/tempoo"),
    .padOutOfRange("17", address: "/pad/17"),
    .outOfRange(argument: "bpm", value: 500, range: 20...300, unit: "bpm", address: "/tempo"),
    .notFinite(argument: "bpm", address: "/tempo"),
    .wrongType(argument: "bpm", expected: "a number", got: "a text", address: "/tempo"),
    .missing(argument: "name", address: "/hello"),
    .tooManyArguments(got: 3, most: 1, address: "/tempo"),
    .textTooLong(argument: "text", most: 1_024, address: "/chat"),
    .readOnly(address: "/position"),
    .notForSending(address: "/welcome"),
    .notForOthers(address: "/player/anna/ping"),
    .sequenceOutOfPlace,
    .heardOutOfPlace,
    .patternNotAllowed(address: "/player/*/gain"),
    .patternBroken(address: "/pad/{1,3"), .patternTooLong(address: "/pad/*1*2*3*4*5*/gain"),
    .patternMatchesNothing(address: "/pad/2?/gain"),
    .noValue(address: "/hit"),
    .noRange(address: "/n/kit"),
  ]
}

extension OSCError {
  /// One error for each code.
  fileprivate static let examples: [OSCError] = [
    .notOSC, .tooLong(bytes: 8_193, limit: 8_192), .bundleTooDeep(limit: 8),
  ]
}
