/// Why a room refused a command. Each reason is a case with its data.
///
/// A refused command changes nothing. The wire (JamWire) gives each case a sentence for people and
/// a code for programs.
public enum Refusal: Error, Hashable, Sendable {
  // MARK: Rights

  case hostOnly(HostDeed)
  /// A host's setting for the player's own channel.
  case ownChannel
  case locked(Lock)
  /// The player asked for a host's role without being a host.
  case notHost(PlayerName)
  case listener
  /// A host made the player a listener.
  case madeListener(PlayerName)
  /// The player waits at the door, and asked for something that others hear or share.
  case atTheDoor
  /// The player waits at the door, and no stream carries its cue. `player` is nil for a guest.
  case unheardAtDoor(room: PlayerName, player: PlayerName?)
  /// A command for another player. Only that player and hosts may give it.
  case otherPlayer(PlayerName)
  /// A command for another player from a host whose address may be forged.
  case otherPlayerUnproven(PlayerName)
  /// A host's command from an address that may be forged.
  case hostUnproven
  case addressUnproven(for: ProvenDeed)
  case wrongCookie
  case wrongHostWord
  /// A request by HTTP came with a token that no player has.
  case wrongToken
  /// A nameless sender cannot be a host, because all nameless senders of an address would then be
  /// hosts.
  case hostNeedsName
  case wrongPassword(room: PlayerName)
  case passwordNeeded(room: PlayerName)
  case tooManyGuesses

  // MARK: People and rooms

  case notInRoom(PlayerName)
  case roomFull(PlayerName, most: Int)
  /// The address has `count` players, which is the limit.
  case addressFull(room: PlayerName, count: Int)
  /// The address may be forged, and has `count` players, which is the limit for such an address.
  case unprovenAddressFull(room: PlayerName, count: Int)
  /// The room has `count` players whose addresses may be forged, which is the limit.
  case unprovenFull(room: PlayerName, count: Int)
  /// There are `count` players without a name: in the whole room, or from the asker's address.
  case guestsFull(room: PlayerName, count: Int, ofAddress: Bool)
  /// A host put the asker out of the room, under the name `name`.
  case keptOut(name: PlayerName, room: PlayerName, seconds: Int)
  /// A host put a player with that name out of the room.
  case nameKeptOut(PlayerName, room: PlayerName)
  /// A host made the player with that name a listener.
  case nameOfListener(PlayerName)
  /// The connection belongs to a player whom a host put out of the room.
  case putOut(room: PlayerName)
  /// `here` names some of the present players. It is empty where the asker may not know them.
  case noSuchPlayer(PlayerName, here: [PlayerName])
  case notKeptOut(PlayerName, keptOut: [PlayerName])
  /// Nobody sits in the seat.
  case seatEmpty(Int)
  case messageLength
  /// So many reactions are told at once, and then one a second.
  case reactionsTooFast(atOnce: Int)
  case noSuchRoom(PlayerName, open: [PlayerName])
  case badRoomName(PlayerName)
  case tooManyRooms(most: Int)
  case noMemoryForRoom
  /// The address has opened so many rooms, which is the limit.
  case tooManyOwnRooms(Int)
  case roomsOpenedTooFast

  // MARK: Settings

  case unknownWord(Choice, String)
  case badName(NamedThing, mostCharacters: Int)
  case notSettable
  case notReadable
  case notASwitch
  case noSpeakers

  // MARK: Scores

  case onlyInScore(ScoreDeed)
  case notInScore
  case clockInScore

  // MARK: Hits

  case tooManyHitsWaiting(Int)
  case tooManyOwnHitsWaiting(Int)
  case tooManyCommandsWaiting(Int)
  case kitBeingRead
  /// `clock` is how the server's wall clock was last set, where it was.
  case timetagTooFarAhead(Frames, most: Frames, clock: ClockSet? = nil)
  case heardWhileLive
  case heardInFuture(UInt32, by: Frames)
  case heardTooLongAgo(UInt32, by: Frames, most: Frames)
  case heardBeforeJoining(UInt32, by: Frames)

  // MARK: Clock

  case badSignature(beatsPerBar: Int, beatUnit: Int)
  case tooManyTempoChanges(most: Int)
  case nudgedTooFar
  /// A tempo or a tap while the tempo follows that player's clock.
  case tempoFollowsClock(of: PlayerName)
  /// A clock's message while the tempo follows that player's clock.
  case anotherClock(of: PlayerName)
  case clockWhileVoting
  case clockOverruled
  case clockOutOfRange(bpm: Int)
  case noVote
  case voteOutOfRange
  case noBuildUp
  case transportStands

  // MARK: Pads and kits

  case padEmpty(Pad)
  /// The pad is empty, and has no category in which a next sound could be found.
  case nothingToBrowse(Pad)
  case kitPadEmpty(Pad, kit: String)
  case allPadsEmpty
  case noSuchKey(String)
  case noSuchInstrument(String, near: String?)
  /// A synthesiser's setting for a sampled instrument.
  case notOfSamples(PatchSetting, instrument: String)
  case badProgression(String, Progression.Fault)
  case noProgression
  /// The progression has only `count` chords.
  case noSuchChord(Int, count: Int)
  case noSuchProgression(String)
  case progressionNameTaken(String)
  /// The name can be read as chords.
  case progressionNameIsChords(String)
  case progressionOfOther(String, owner: PlayerName)
  case progressionsFull(most: Int)
  /// The scene is empty.
  case sceneEmpty(Int)
  /// No player has a loop or a lane that could play in a scene.
  case nothingForScene
  /// A groove needs more lanes than are free.
  case noLaneForGroove(needed: Int, free: Int)
  case noGroovePart(GroovePart)
  case badScene(String)
  /// No pad has a sound whose key is known.
  case noKeyInKit
  /// `known` are some of the present kits. It is empty where the room does not list them.
  case noSuchKit(String, near: String? = nil, known: [String] = [], hasMore: Bool = false)
  case noKitAtIndex(Int, count: Int)
  case kitWasDeleted(Int)
  /// The kit is named in kept data, but its folder is missing.
  case kitAway(String)
  case instrumentAway(String)
  /// The number of own sounds that are missing.
  case soundsAway(Int)
  case firstKitStays(String)
  case kitBeingSaved
  /// The text is the message of the part that failed. The same holds for the other cases that only
  /// have a text.
  case kitUnreadable(String)
  case kitNotSaved(String)
  /// The server does not keep kits.
  case kitsNotKept
  case kitNotDeleted(String)
  case savedTooMuch(String)
  case notStretched(String)

  // MARK: Sounds

  case noSuchSound(String, isPreview: Bool)
  case notBroughtAlong(String)
  case soundNotListed(String)
  case nothingBroughtAlong
  case noSuchCategory(String, known: [String])
  case soundsFull(most: Int, mebibytes: Int)
  case soundUnreadable(String)
  case soundNotMade(String)
  /// Nil is the asker.
  case alreadyRecording(PlayerName?)
  case nobodyRecords
  case recordingOfOther(PlayerName)
  case noInput
  case inputTaken
  case inputSilent
  case inputFailed(String)
  case recordingLost
  case grabUnderWay
  case grabTooLong(bars: Int, seconds: Int, most: Int)
  case grabTooOld(bars: Int, seconds: Int, most: Int)
  case tooFewBarsPlayed(Int)
  case grabForgotten(seconds: Int)
  case grabSilent(String)
  /// The names of the room and the player for the address that opens the cue. A guest has no name,
  /// so no address opens a guest's cue.
  case cueUnheard(room: PlayerName, player: PlayerName?)
  case clickUnheard(room: PlayerName, player: PlayerName?)

  // MARK: Loops

  case loopEmpty
  case loopFull(layers: Int)
  case overdubEnded(layers: Int)
  case loopLengthFixed(bars: Int)
  case noSuchLayer(Int, layers: [Int])
  /// The player who is asked for a layer has no such layer.
  case noSuchLayerOf(PlayerName, Int)
  /// The asker wants to borrow a layer of its own.
  case ownLayer(Int)
  /// A layer that is lent, or that is borrowed itself. `with` is the other player.
  case layerOnLoan(Int, of: PlayerName, with: PlayerName)
  case notBorrowed(Int)
  /// A host has muted the player, whose music others may not play in its place.
  case playerMuted(PlayerName)
  case noSuchNote(UInt32, layer: Int)
  /// In quarter notes.
  case notePastEnd(beat: Float, length: Float)
  case layerFull(notes: Int)
  case stepPastEnd(Pad, step: Int, count: Int)
  case badStepCount
  case nothingToCatch
  /// A pass takes down what the player plays.
  case catchWhileRecording

  // MARK: Blocks and lanes

  case noSuchBlock(String)
  case noBlocksOf(PlayerName)
  case noSuchBlockOf(PlayerName, String)
  case nothingSounds
  case barsPastEnd(from: Int, bars: Int, count: Int)
  case nothingInBars
  case blockTooLong(mostBars: Int)
  case tooManyHitsInBars(most: Int)
  case blockFull(hits: Int)
  case readyMadeName(String)
  case blockNameTaken(String)
  case blocksFull(most: Int)
  /// The places for hosts are full, too. `owners` have the most blocks.
  case allBlocksFull(most: Int, owners: [BlockOwner])
  case blocksSavedTooFast(secondsPerBlock: Int)
  case readyMadeBlock(String)
  case blockOfOther(String, owner: PlayerName, BlockDeed)
  case blockStepPastEnd(String, step: Int, count: Int)
  case lastHitOfBlock
  case blockNotKept(String)
  case hitsSilent(String)
  case laneEmpty(Int)
  case slotEmpty(lane: Int, slot: Int, SlotDeed)

  // MARK: Projects

  case badProjectName
  case noSuchProject(String)
  case noSuchProjectVersion(String, Int)
  case projectNameTaken(String)
  /// Another room plays the project.
  case projectOpenIn(String, room: PlayerName)
  /// Another project is being opened or begun.
  case projectBusy
  case projectsNotKept
  case projectUnreadable(String, reason: String)
  case projectNotSaved(reason: String)
  case projectsFull(most: Int)
  case projectsSavedTooFast(secondsPerProject: Int)
  case noSuchPart(PlayerName, left: [PlayerName])

  // MARK: Takes

  case takesNotKept
  case noSuchTake(String)
  case badTakeName
  /// The wanted bars hold no recording.
  case nothingTaken
  case noTakeStarted
  case takeStarted
  /// The take is still being recorded.
  case takeNotOver(String)
  case takeTooShort(String, bars: Int)
  case takeNotKept(reason: String)
  case takesBusy
  /// No export has that form.
  case noSuchForm(String)
  /// A project's loops have no score, because a score is the log of a performance.
  case loopsHaveNoScore
  /// The project has neither a loop nor a lane with a sound that could be written.
  case nothingGoesRound
  case badExportOption(String)
  /// No such file is being made.
  case noSuchExport(String)
  /// Nobody has more than `most` files in the making at once.
  case tooManyExports(most: Int)
  /// A player keeps and stars takes faster than one each `secondsPerTake`.
  case takesKeptTooFast(secondsPerTake: Int)
  /// `most` takes are starred, and stay for ever.
  case starredTakesFull(most: Int)

  // MARK: Library

  /// The words of a search are longer than `mostBytes`.
  case searchTooLong(mostBytes: Int)
  /// A search's filter has no valid value, as in `tempo:fast`.
  case badSearchFilter(String)
  case searchesTooFast(perSecond: Int)
  case libraryBusy
  case libraryUnreadable
  /// No player shares a block with that id.
  case blockNotShared(String)

  // MARK: Undo

  case nothingToUndo
  case nothingToRedo
  case nothingToUndoInRoom
  /// The player has recorded, set and saved nothing that is still there.
  case nothingToTakeBack(PlayerName)
  case nothingToRedoInRoom

  // MARK: Connections

  case tooManySubscriptions(Int)
  case tooManyUnprovenSubscriptions
  case tooManyMessages(perSecond: Int)
  case tooManyMatches(perSecond: Int)
  case tooMuchTime
  /// The packet came too long after a packet with a higher number.
  case outOfOrder(milliseconds: Int, most: Int)
  case frameUnfinished(seconds: Int, bytes: Int)
  case connectionsFull(most: Int)
  /// No controller of that name announces itself.
  case unknownController(String, known: [String])
  /// The controller shows the lights of somebody else; nil is somebody in another room.
  case controllerTaken(String, by: PlayerName?)
  /// The sender asked for feedback at the server's own port, on the server's own machine.
  case ownPort(UInt16)
  /// OSC came to the port of the page.
  case wrongPort(web: UInt16, osc: UInt16)
  /// So many who are no hosts watch the room's monitor already.
  case tooManyWatchers(Int)
}

extension Refusal {
  /// An action that is reserved for hosts.
  public enum HostDeed: Hashable, Sendable {
    case changeChannel, clickOnSpeakers, levelRoom, lock(Lock), giveRole, kick, admit, silenceEverybody, setTempoMode
    case listBlocks, deleteBlock, deleteKit, deleteSound, deleteProject, deleteTake, undoInRoom, redoInRoom
    case setDoor, takeBack, pinControls
  }

  /// An action for which an address must prove that it belongs to its sender.
  public enum ProvenDeed: Hashable, Sendable {
    case hostWord, subscription, controller
  }

  /// A command that only scores may hold.
  public enum ScoreDeed: Hashable, Sendable {
    case layerHit, blockHit, countIn, buildUp, leaving, fit, patch, chord
  }

  /// A setting whose value is a word.
  public enum Choice: String, Sendable {
    case role, rate, grid, timing, lock, mode, scale, layout, spread
    case keyRoot = "key"
  }

  /// A thing that people name.
  public enum NamedThing: String, Sendable {
    case block, kit, player, progression, scene
  }

  /// An action that is reserved for the block's owner.
  public enum BlockDeed: String, Sendable {
    case share, delete, change
  }

  /// An action for which the lane's slot needs a block.
  public enum SlotDeed: Hashable, Sendable {
    case move, focus
  }

  /// How the machine's wall clock was set, and how long ago.
  public struct ClockSet: Hashable, Sendable {
    /// Negative where it was set back.
    public let by: Frames
    public let ago: Frames

    public init(by: Frames, ago: Frames) {
      self.by = by
      self.ago = ago
    }
  }

  /// A player, and the number of the player's blocks in the room.
  public struct BlockOwner: Hashable, Sendable {
    public let name: String
    public let count: Int

    public init(name: String, count: Int) {
      self.name = name
      self.count = count
    }
  }
}
