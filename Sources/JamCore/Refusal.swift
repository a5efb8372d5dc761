/// Why a command was not carried out: a case for each reason, with its data.
///
/// A refused command changes nothing. The wire gives each case its words, for people, and its code, for
/// programs.
public enum Refusal: Error, Hashable, Sendable {
  // MARK: Rights

  case hostOnly(HostDeed)
  /// A host's setting of the player's own channel.
  case ownChannel
  case locked(Lock)
  /// The player asked for a host's role without being a host.
  case notHost(PlayerName)
  case listener
  /// A host made the player a listener.
  case madeListener(PlayerName)
  /// A command for another player, which is that player's or a host's.
  case otherPlayer(PlayerName)
  /// The same from a host whose address may be forged.
  case otherPlayerUnproven(PlayerName)
  /// A host's command from an address that may be forged.
  case hostUnproven
  case addressUnproven(for: ProvenDeed)
  case wrongCookie
  case wrongHostWord
  /// Who asks by HTTP is none of the players.
  case wrongToken
  /// All nameless senders of an address would be hosts.
  case hostNeedsName
  case wrongPassword(room: PlayerName)
  case passwordNeeded(room: PlayerName)
  case tooManyGuesses

  // MARK: People and rooms

  case notInRoom(PlayerName)
  case roomFull(PlayerName, most: Int)
  /// `count` players of the address are there, as many as may be.
  case addressFull(room: PlayerName, count: Int)
  /// The same for an address that may be forged.
  case unprovenAddressFull(room: PlayerName, count: Int)
  /// `count` players are there whose addresses may be forged.
  case unprovenFull(room: PlayerName, count: Int)
  /// `count` players without a name are there, of all addresses or of the asker's.
  case guestsFull(room: PlayerName, count: Int, ofAddress: Bool)
  /// A host put the asker out, as `name`.
  case keptOut(name: PlayerName, room: PlayerName, seconds: Int)
  /// A host put out somebody of that name.
  case nameKeptOut(PlayerName, room: PlayerName)
  /// A host made somebody of that name a listener.
  case nameOfListener(PlayerName)
  /// The connection belongs to somebody whom a host put out.
  case putOut(room: PlayerName)
  /// `here` are some of those who are there; empty where that is not told.
  case noSuchPlayer(PlayerName, here: [PlayerName])
  case notKeptOut(PlayerName, keptOut: [PlayerName])
  case messageLength
  case noSuchRoom(PlayerName, open: [PlayerName])
  case badRoomName(PlayerName)
  case tooManyRooms(most: Int)
  case noMemoryForRoom
  /// The address has opened `count` rooms, as many as it may.
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
  case timetagTooFarAhead(Frames, most: Frames)
  case heardWhileLive
  case heardInFuture(UInt32, by: Frames)
  case heardTooLongAgo(UInt32, by: Frames, most: Frames)
  case heardBeforeJoining(UInt32, by: Frames)

  // MARK: Clock

  case badSignature(beatsPerBar: Int, beatUnit: Int)
  case tooManyTempoChanges(most: Int)
  case nudgedTooFar
  /// A tempo or a tap where the tempo follows that player's clock.
  case tempoFollowsClock(of: PlayerName)
  /// A clock where the tempo follows that player's clock.
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
  /// An empty pad has no category in which there would be a next sound.
  case nothingToBrowse(Pad)
  case kitPadEmpty(Pad, kit: String)
  case allPadsEmpty
  case noSuchKey(String)
  case noSuchInstrument(String, near: String?)
  /// A synthesiser's setting of an instrument of recorded sounds.
  case notOfSamples(PatchSetting, instrument: String)
  case badProgression(String, Progression.Fault)
  case noProgression
  /// The progression has fewer.
  case noSuchChord(Int, count: Int)
  case noSuchProgression(String)
  case progressionNameTaken(String)
  /// Chords of their own are written so.
  case progressionNameIsChords(String)
  case progressionOfOther(String, owner: PlayerName)
  case progressionsFull(most: Int)
  /// Nothing was kept as that scene.
  case sceneEmpty(Int)
  /// Nobody has anything that could play in a scene.
  case nothingForScene
  case badScene(String)
  /// No pad has a sound of which a key is known.
  case noKeyInKit
  /// `known` are some of the kits that there are; empty where they are not told.
  case noSuchKit(String, near: String? = nil, known: [String] = [], hasMore: Bool = false)
  case noKitAtIndex(Int, count: Int)
  case kitWasDeleted(Int)
  /// It is named, and kept, and cannot be had: its folder is not there.
  case kitAway(String)
  case instrumentAway(String)
  /// So many that people brought along.
  case soundsAway(Int)
  case firstKitStays(String)
  case kitBeingSaved
  /// The text is of whoever could not do it, as of the other cases with a text alone.
  case kitUnreadable(String)
  case kitNotSaved(String)
  /// The server keeps no kits.
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
  /// nil is the asker.
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
  /// The room's and the player's name in the address to open; a guest has no name to open one by.
  case cueUnheard(room: PlayerName, player: PlayerName?)
  case clickUnheard(room: PlayerName, player: PlayerName?)

  // MARK: Loops

  case loopEmpty
  case loopFull(layers: Int)
  case overdubEnded(layers: Int)
  case loopLengthFixed(bars: Int)
  case noSuchLayer(Int, layers: [Int])
  case noSuchNote(UInt32, layer: Int)
  /// In quarter notes.
  case notePastEnd(beat: Float, length: Float)
  case layerFull(notes: Int)
  case stepPastEnd(Pad, step: Int, count: Int)
  case badStepCount

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
  /// Hosts' places are taken, too; `owners` have the most blocks.
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
  /// Another room plays it.
  case projectOpenIn(String, room: PlayerName)
  /// Another one is being opened, or begun.
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
  /// Nothing was recorded in the bars that are meant.
  case nothingTaken
  case noTakeStarted
  case takeStarted
  /// It is still played.
  case takeNotOver(String)
  case takeTooShort(String, bars: Int)
  case takeNotKept(reason: String)
  case takesBusy
  /// Nothing that was played is written as that.
  case noSuchForm(String)
  /// A project's loops are no log of what was played.
  case loopsHaveNoScore
  /// A project has neither a loop nor a lane whose sound could be written.
  case nothingGoesRound
  case badExportOption(String)
  /// No such file is being made.
  case noSuchExport(String)

  // MARK: Library

  /// Words of a search that are longer than so many bytes.
  case searchTooLong(mostBytes: Int)
  /// A filter of a search that says nothing, as `tempo:fast`.
  case badSearchFilter(String)
  case searchesTooFast(perSecond: Int)
  case libraryBusy
  case libraryUnreadable
  /// Nobody shares a block of that id.
  case blockNotShared(String)

  // MARK: Undo

  case nothingToUndo
  case nothingToRedo
  case nothingToUndoInRoom
  case nothingToRedoInRoom

  // MARK: Connections

  case tooManySubscriptions(Int)
  case tooManyUnprovenSubscriptions
  case tooManyMessages(perSecond: Int)
  case tooManyMatches(perSecond: Int)
  case tooMuchTime
  /// A packet that came too long behind one with a higher number.
  case outOfOrder(milliseconds: Int, most: Int)
  case frameUnfinished(seconds: Int, bytes: Int)
  case connectionsFull(most: Int)
}

extension Refusal {
  /// What only hosts may do.
  public enum HostDeed: Hashable, Sendable {
    case changeChannel, clickOnSpeakers, levelRoom, lock(Lock), giveRole, kick, admit, silenceEverybody, setTempoMode
    case listBlocks, deleteBlock, deleteKit, deleteSound, deleteProject, deleteTake, undoInRoom, redoInRoom
  }

  /// What an address must prove itself for.
  public enum ProvenDeed: Hashable, Sendable {
    case hostWord, subscription
  }

  /// What only a score holds.
  public enum ScoreDeed: Hashable, Sendable {
    case layerHit, blockHit, countIn, buildUp, leaving, fit, patch
  }

  /// What is chosen by a word.
  public enum Choice: String, Sendable {
    case role, rate, grid, timing, lock, mode, scale, layout, spread
    case keyRoot = "key"
  }

  /// What people name.
  public enum NamedThing: String, Sendable {
    case block, kit, player, progression, scene
  }

  /// What a block's owner alone may do.
  public enum BlockDeed: String, Sendable {
    case share, delete, change
  }

  /// What a block on a lane's slot is needed for.
  public enum SlotDeed: Hashable, Sendable {
    case move, focus
  }

  /// Who has how many of the room's blocks.
  public struct BlockOwner: Hashable, Sendable {
    public let name: String
    public let count: Int

    public init(name: String, count: Int) {
      self.name = name
      self.count = count
    }
  }
}
