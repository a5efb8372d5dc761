public import JamCore

extension Refusal {
  /// The fault and how to correct it: one line for people.
  public var words: String {
    switch self {
    // MARK: Rights
    case .hostOnly(let deed): "only a host may \(deed.words): \(Refusal.howToBeHost)"
    case .ownChannel: "only a host may change it for you: your own are /gain and /mute"
    case .locked(let lock): "a host has locked \(lock.word): only hosts may change it until /lock none"
    case .notHost(let name): "you are no host: \(Refusal.howToBeHost), or ask a host for /player/\(name)/role host"
    case .listener: "a listener hears and reads, and plays nothing: send /role player first"
    case .madeListener(let name):
      "a host made you a listener, who hears and reads: ask one for /player/\(name)/role player"
    case .atTheDoor:
      "you are at the door, and play for yourself alone: a host lets you in; /chat asks for it"
    case .unheardAtDoor(let room, let player):
      "you are at the door until a host lets you in, and nobody hears you, not even you: "
        + Refusal.howToHearCue(of: player, in: room)
    case .otherPlayer(let name): "/player/\(name)/ is for \(name) or a host: \(Refusal.howToBeHost)"
    case .otherPlayerUnproven(let name):
      "/player/\(name)/ is for \(name) or a host, and \(Refusal.howToBeSure)"
    case .hostUnproven: "you are a host, but \(Refusal.howToBeSure)"
    case .addressUnproven(.hostWord):
      "this address has to prove itself first: echo the /cookie that was sent to it, and the word counts"
    case .addressUnproven(.subscription):
      "this address has to prove itself first: echo the /cookie that it was sent, then subscribe again"
    case .addressUnproven(.controller):
      "this address has to prove itself first: echo the /cookie that it was sent, then ask again"
    case .wrongCookie: "that is not the cookie that was sent to this address: echo it as it came"
    case .wrongHostWord: "that is not the host word: the server printed it at its start"
    case .wrongToken:
      "nobody here has that name and that token: /welcome tells both, and a token ends with its player"
    case .hostNeedsName:
      "say /hello with your name first, then /host: senders without a name share their address's guest"
    case .wrongPassword(let room): "that is not the password of room \(room): \(Refusal.howToEnter(room))"
    case .passwordNeeded(let room): "room \(room) wants a password: \(Refusal.howToEnter(room))"
    case .tooManyGuesses: "too many words were tried from your address: wait a few seconds"

    // MARK: People and rooms
    case .notInRoom(let room): "you are not in room \(room): send /hello with your name first"
    case .roomFull(let room, let most): "room \(room) is full: it holds \(most) players"
    case .addressFull(let room, let count):
      "\(count) play in room \(room) from your address already, which is as many as one address may have: one of them "
        + "leaves by /bye"
    case .unprovenAddressFull(let room, let count):
      "\(count) play in room \(room) from your address already: more may once it has proven itself by echoing the "
        + "/cookie that was sent to it"
    case .unprovenFull(let room, let count):
      "\(count) play in room \(room) from addresses that have not proven themselves: echo the /cookie that was sent to "
        + "yours, then send /hello again"
    case .guestsFull(let room, let count, let ofAddress):
      "\(count) play in room \(room) \(ofAddress ? "from your address " : "")without a name already: send /hello with "
        + "yours"
    case .keptOut(let name, let room, let seconds):
      "a host put \(name) out of room \(room), and this name, token or address with it, for another "
        + "\(Refusal.time(seconds: seconds)): wait, or ask a host for /player/\(name)/admit"
    case .nameKeptOut(let name, let room):
      "a host put \(name) out of room \(room), and the name with it: take another, or ask a host for "
        + "/player/\(name)/admit"
    case .nameOfListener(let name):
      "a host made \(name) a listener, and the name is kept for whoever had it: take another"
    case .putOut(let room): "a host put you out of room \(room): ask to come back by /hello with your name"
    case .noSuchPlayer(let name, let here):
      "nobody here is called \(name)\(here.isEmpty ? "" : ": here are \(Refusal.list(here))")"
    case .notKeptOut(let name, let keptOut):
      "nobody called \(name) is kept out: \(keptOut.isEmpty ? "nobody is" : "here are \(Refusal.list(keptOut))")"
    case .seatEmpty(let seat): "nobody sits at seat \(seat): /seat/\(seat)/name tells who comes"
    case .messageLength: "a message has 1–\(Limits.standard.messageBytes) bytes"
    case .reactionsTooFast(let count):
      "you react too often: \(count) are told at once, then one a second"
    case .noSuchRoom(let name, let open):
      "there is no room “\(name)”: this server has \(Refusal.list(open)); it opens others only with --open-rooms"
    case .badRoomName(let name): "a room cannot be called “\(name)”: in an address that is another place"
    case .tooManyRooms(let most): "this server holds \(most) rooms: leave one first"
    case .noMemoryForRoom: "this server has no memory for another room: leave one first"
    case .tooManyOwnRooms(let count):
      "your address has opened \(count) rooms: leave one, and it closes a minute later"
    case .roomsOpenedTooFast: "too many rooms were opened from your address: wait ten seconds"

    // MARK: Settings
    case .unknownWord(let choice, let word): "there is no \(choice.rawValue) \(word)"
    case .badName(let thing, let most):
      "a \(thing.rawValue)'s name has 1–\(most) characters, and no slashes or control characters"
    case .notSettable: "it cannot be set to that: it is read only, or wants another type"
    case .notReadable: "it cannot be read"
    case .notASwitch: "it is no switch: send a value"
    case .noSpeakers:
      "this room is heard on no loudspeakers of the server: only the first room is, where there is a sound card or "
        + "--alsa DEVICE"

    // MARK: Scores
    case .onlyInScore(let deed): deed.words
    case .notInScore: "only a live room does that: leave it out of a score"
    case .clockInScore: "a score holds what came of a clock: only a live room follows one"

    // MARK: Hits
    case .tooManyHitsWaiting(let count): "\(count) hits wait already: send fewer ahead of their time"
    case .tooManyOwnHitsWaiting(let count): "\(count) of your hits wait already: send fewer ahead of their time"
    case .tooManyCommandsWaiting(let count): "\(count) commands wait already: send fewer ahead of their time"
    case .kitBeingRead: "your kit is still being read: send less before it is there"
    case .timetagTooFarAhead(let ahead, let most, let clock):
      """
      the timetag is \(Wording.duration(seconds: ahead.seconds)) ahead: \(Int(saturating: most.seconds)) s \
      is the limit; tags are in the server's clock, which /ping tells
      """ + (clock.map(Refusal.words) ?? "")
    case .heardWhileLive: "/heard is for timing heard or interval, and you chose live: send /timing heard first"
    case .heardInFuture(let heard, let frames):
      "/heard \(heard) is \(Refusal.time(frames)) in the future: send the RTP timestamp that you were hearing as "
        + "you hit"
    case .heardTooLongAgo(let heard, let frames, let most):
      "/heard \(heard) is \(Refusal.time(frames)) ago: \(Refusal.time(most)) is the limit; listen by RTP"
    case .heardBeforeJoining(let heard, let frames):
      "/heard \(heard) is \(Refusal.time(frames)) before you joined: send what you heard since then"

    // MARK: Clock
    case .badSignature(let beats, let unit):
      "\(beats)/\(unit) is no time signature: beats per bar \(TimeSignature.beatsRange.words)"
    case .tooManyTempoChanges(let most):
      "\(most) changes of the tempo lie ahead at most: wait until earlier nudges are over"
    case .nudgedTooFar:
      "nudges that are under way make the beat as fast or slow as it may be, \(TempoMap.nudgedRange.wholeWords) bpm: "
        + "wait until they are over"
    case .tempoFollowsClock(let name): "the tempo follows \(name)'s clock: stop that first, or ask a host"
    case .anotherClock(let name):
      "the tempo follows \(name)'s clock: one at a time, the next when it was silent for half a second"
    case .clockWhileVoting: "the room votes on its tempo: a clock leads again after a host's /tempo/mode free"
    case .clockOverruled: "a host took the tempo from your clock: stop it first"
    case .clockOutOfRange(let bpm):
      "a clock of \(bpm) bpm is out of range: \(Tempo.range.wholeWords); it is followed once it is in range"
    case .noVote: "the room does not vote on its tempo: /tempo sets it; a host begins a vote by /tempo/mode vote"
    case .voteOutOfRange: "a vote is \(Tempo.range.wholeWords) bpm, or 0 to take it back"
    case .noBuildUp: "there is no build-up: /buildup begins one on the next bar line"
    case .transportStands: "the transport stands still: /play starts the beat that it goes round on"

    // MARK: Pads and kits
    case .padEmpty(let pad):
      "pad \(pad.number) is empty: choose a sound for it by /pad/\(pad.number)/sample"
    case .nothingToBrowse(let pad): "the pad is empty: name a sound by /pad/\(pad.number)/sample"
    case .kitPadEmpty(let pad, let kit): "pad \(pad.number) of kit \(kit) is empty"
    case .allPadsEmpty: "all pads are empty: give one a sound first"
    case .noSuchKey(let key):
      """
      there is no key \(Refusal.quoted(key)): a note as C, F# or Bb, room for the room's key, or none for \
      the kit's own keys
      """
    case .noKeyInKit: "no sound on your pads says its key: drums have none"
    case .badProgression(let text, let fault): "\(Refusal.quoted(text)) is no progression: \(fault.words)"
    case .noProgression:
      "there are no chords to play: /progression takes some, as I V vi IV, or a name of /progressions"
    case .noSuchChord(let number, let count):
      "there is no chord \(number): the progression has \(count), counted from 1"
    case .noSuchProgression(let name): "nobody here has saved a progression \(Refusal.quoted(name)): see /progressions"
    case .progressionNameTaken(let name): "there is a progression \(Refusal.quoted(name)) already: choose another name"
    case .progressionNameIsChords(let name):
      "\(Refusal.quoted(name)) are chords, which whoever types it means: choose a name that is none"
    case .progressionOfOther(let name, let owner):
      "\(Refusal.quoted(name)) is \(owner)'s: only they or a host delete it"
    case .progressionsFull(let most): "the room has \(most) progressions: /progression/delete makes room"
    case .notOfSamples(let setting, let instrument):
      "\(instrument) plays recorded sounds, which /instrument/\(setting.row.path) does nothing to"
    case .sceneEmpty(let number): "scene \(number) is empty: /scene/\(number)/keep keeps what plays now"
    case .noLaneForGroove(let needed, let free):
      "a groove needs \(needed) free lanes, and \(free) of yours hold nothing: /lane/1/clear clears one"
    case .noGroovePart(let part):
      "there is no groove with \(part.word) to change: ask for one with /groove"
    case .nothingForScene: "nobody here has a loop or blocks on a lane: there is nothing to keep as a scene"
    case .badScene(let text):
      "\(Refusal.quoted(text)) is no scene: write each player with what plays, as ann loop layer2 lane1* pad7; bob mute"
    case .noSuchInstrument(let text, let near):
      "there is no instrument \(Refusal.quoted(text)): \(near.map { "did you mean \($0)?" } ?? "see /instruments")"
    case .noSuchKit(let kit, _, [], _): "there is no kit \(Refusal.quoted(kit)): see /kits"
    case .noSuchKit(let kit, let near, let known, let hasMore):
      "there is no kit \(Refusal.quoted(kit)): \(near.map { "did you mean \($0)? This" } ?? "this") server has "
        + "\(known.joined(separator: ", "))\(hasMore ? ", …" : "")"
    case .noKitAtIndex(let index, let count):
      "there is no kit \(index): this server has kits 0–\(count - 1), see /kits"
    case .kitAway(let kit):
      "kit \(Refusal.quoted(kit)) is not here: it stays silent, and sounds again once the server starts with it"
    case .instrumentAway(let instrument):
      """
      instrument \(Refusal.quoted(instrument)) is not here: it stays silent, and sounds again once the \
      server starts with it
      """
    case .soundsAway(let count):
      """
      \(count == 1 ? "a sound that was brought along is" : "\(count) sounds that were brought along are") \
      not here: their pads stay silent until they are back
      """
    case .kitWasDeleted(let index): "kit \(index) was deleted by a host: see /kits"
    case .firstKitStays(let kit): "the room begins with \(kit): it stays"
    case .kitBeingSaved: "your last kit is still being saved: wait until /kits/item tells it"
    case .kitsNotKept:
      "kits cannot be kept: this server keeps nothing; start it with --data DIR, or without --data none"
    case .kitUnreadable(let text), .kitNotSaved(let text), .kitNotDeleted(let text), .savedTooMuch(let text),
      .notStretched(let text):
      text

    // MARK: Sounds
    case .noSuchSound(let text, isPreview: true):
      "\(Refusal.quoted(text)) is no sound: name a kit and one of its pads, as starter/3; /samples lists them"
    case .noSuchSound(let text, isPreview: false):
      "\(Refusal.quoted(text)) is no sound: name a kit and one of its pads, as starter/3, or a sound that was brought "
        + "along; /samples lists them all"
    case .notBroughtAlong(let text): "\(Refusal.quoted(text)) was not brought along: /samples own lists what was"
    case .soundNotListed(let text): "\(text.prefix(64)) is not listed here: /samples own lists what is"
    case .nothingBroughtAlong:
      "nobody has brought a sound along yet: PUT /samples/NAME, /sample/record or /sample/grab does"
    case .noSuchCategory(let category, let known):
      "there is no sound of category “\(category.prefix(32))”: there are \(known.joined(separator: ", ")), and own "
        + "is what was brought along"
    case .soundsFull(let most, let mebibytes):
      "the room keeps \(most) sounds and \(mebibytes) MiB of them, all on pads: put another sound on one of those first"
    case .soundUnreadable(let text), .soundNotMade(let text): text
    case .alreadyRecording(let name):
      "\(name.map { "\($0) records" } ?? "you record") already: /sample/stop ends it"
    case .nobodyRecords: "nobody records: /sample/record with a pad begins"
    case .recordingOfOther(let name): "\(name) records: only they or a host may end it"
    case .noInput: "this server has no input: start it with --input DEVICE, see arecord -L"
    case .inputTaken: "another room records: wait until it has ended"
    case .inputSilent: "nothing was to be heard at the input: check its level"
    case .inputFailed(let text): text
    case .recordingLost: "the recording was lost"
    case .grabUnderWay: "your last grab is still being made: wait until it is there"
    case .grabTooLong(let bars, let seconds, let most):
      "\(bars) bars last \(seconds) s, and a room keeps \(most) s: grab fewer"
    case .grabTooOld(let bars, let seconds, let most):
      "\(bars) bars began \(seconds) s ago, and a room keeps \(most) s: grab fewer"
    case .tooFewBarsPlayed(0): "no whole bar has been played since the transport started: grab when it has"
    case .tooFewBarsPlayed(let count):
      "only \(count) whole \(count == 1 ? "bar has" : "bars have") been played since the transport started"
    case .grabForgotten(let seconds):
      "so much was played that the room remembers \(seconds) s of it: grab fewer bars, or the room's mix"
    case .grabSilent(let name): "\(name): nothing was to be heard in it"
    case .cueUnheard(let room, let player): "nobody hears your cue: \(Refusal.howToHearCue(of: player, in: room))"
    case .clickUnheard(let room, let player):
      "the click is on, but nothing that is open carries it: \(Refusal.howToHearCue(of: player, in: room)); "
        + "or any stream with click=1"

    // MARK: Loops
    case .loopEmpty: "your loop is empty: /loop/record takes down what you hit from the next bar line on"
    case .loopFull(let layers): "a loop has \(layers) layers at most: delete one first"
    case .overdubEnded(let layers):
      "the overdub has ended: a loop has \(layers) layers at most; /layer/<n>/delete makes room"
    case .loopLengthFixed(let bars): "your loop has \(bars) bars as long as it has layers: /loop/clear first"
    case .noSuchLayer(let number, let layers): "there is no layer \(number): \(Refusal.layersThere(layers))"
    case .noSuchLayerOf(let name, let number):
      "\(name) has no layer \(number): /loop/notes \(name) tells those that there are"
    case .ownLayer(let number):
      "layer \(number) is your own: /borrow takes a layer of another player"
    case .layerOnLoan(let number, let name, let other):
      "layer \(number) of \(name) is shared with \(other) already: borrow it once it is given back"
    case .notBorrowed(let number):
      "layer \(number) is not borrowed: /layer/\(number)/delete removes it"
    case .playerMuted(let name): "a host has muted \(name): nothing of \(name) can be borrowed"
    case .noSuchNote(let number, let layer):
      "layer \(layer) has no note \(number): /loop/notes tells those that it has"
    case .notePastEnd(let beat, let length):
      """
      beat \(Wording.number(Double(beat))) is no place in the loop: it has \(Wording.number(Double(length))) \
      beats, from 0
      """
    case .layerFull(let notes): "a layer has \(notes) notes at most: take some away first"
    case .stepPastEnd(let pad, let step, let count) where pad.isKey:
      "step \(step) is past the end: keys have \(count) steps; /steps \(step) makes all of them more"
    case .stepPastEnd(let pad, let step, let count):
      "step \(step) is past the end: pad \(pad.number) has \(count) steps; /steps/\(pad.number) \(step) makes them more"
    case .badStepCount: "a pad has \(Limits.stepCounts.words) steps, or 0 for as many as /steps says"
    case .nothingToCatch:
      "there is nothing to catch: play something, and /loop/catch makes a layer of it"
    case .catchWhileRecording:
      "a pass is under way and takes down what you play: /loop/catch is for what nothing recorded"

    // MARK: Blocks and lanes
    case .noSuchBlock(let name): "there is no block \(Refusal.quoted(name)): /blocks lists them"
    case .noBlocksOf(let owner): "\(owner) has saved no block"
    case .noSuchBlockOf(let owner, let name):
      "\(owner) has saved no block \(Refusal.quoted(name)): /blocks/of lists them"
    case .nothingSounds:
      "your loop has nothing that sounds: /loop/record takes down what you hit, /step sets hits by hand"
    case .barsPastEnd(let from, let bars, let count):
      "the loop ends with bar \(count): \(bars) from bar \(from) on would reach beyond"
    case .nothingInBars: "nothing is hit in those bars"
    case .blockTooLong(let most): "a block has \(most) such bars at most: save fewer"
    case .tooManyHitsInBars(let most): "a block has \(most) hits at most, and more are in those bars: save fewer"
    case .blockFull(let hits): "a block has \(hits) hits at most: take some away first"
    case .readyMadeName(let name): "“\(name)” is the name of a ready-made block: choose another"
    case .blockNameTaken(let name): "“\(name)” is yours already: choose another name, or /block/delete it first"
    case .blocksFull(let most):
      "the room keeps \(most) blocks at most, and some more of hosts: /block/delete one first"
    case .allBlocksFull(let most, let owners):
      "the room keeps \(most) blocks at most, \(owners.map { "\($0.name) \($0.count)" }.joined(separator: ", ")): "
        + "/block/delete with a name and an owner makes room"
    case .blocksSavedTooFast(let seconds):
      "you have saved many blocks: one more may be saved every \(seconds) s; edits of one are free"
    case .readyMadeBlock(let name): "“\(name)” is ready-made: /block/copy makes one of your own of it"
    case .blockOfOther(let name, let owner, let deed):
      "“\(name)” belongs to \(owner), who alone may \(deed.rawValue) it: /block/copy makes one of your own of it"
    case .blockStepPastEnd(let name, let step, let count):
      "step \(step) is past the end: “\(name)” has \(count) steps"
    case .lastHitOfBlock: "that is its last hit: /block/delete takes the block away"
    case .blockNotKept(let text): "it can be played, but is not kept beyond the server's end: \(text)"
    case .hitsSilent(let text): "some of its hits are silent: \(text)"
    case .laneEmpty(let lane): "lane \(lane) is empty: /lane/\(lane)/1 takes a block's name; /blocks lists them"
    case .slotEmpty(let lane, let slot, let deed):
      "slot \(slot) of lane \(lane) is empty: there is nothing to \(deed == .move ? "move" : "focus on")"

    // MARK: Projects
    case .badProjectName:
      """
      a project's name has 1…\(Limits.standard.nameCharacters) characters \
      of at most \(Limits.standard.nameBytes) bytes, and no slashes or line breaks
      """
    case .noSuchProject(let name): "there is no project \(Refusal.quoted(name)): /projects lists them"
    case .noSuchProjectVersion(let name, let number):
      "“\(name)” has no version \(number): /project/versions lists them"
    case .projectNameTaken(let name): "there is a project “\(name)” already: choose another name, or /project/open it"
    case .projectOpenIn(let name, let room):
      "“\(name)” is played in room \(room.text): go there, or open another one here"
    case .projectBusy: "a project is being opened already: wait for it"
    case .projectsNotKept:
      """
      no projects are kept here: the server was started with --data none, or cannot read its catalogue; its \
      start says which
      """
    case .projectUnreadable(let name, let reason): "“\(name)” cannot be opened: \(reason)"
    case .projectNotSaved(let reason): "it could not be saved, and is played on: \(reason)"
    case .projectsFull(let most): "the server keeps \(most) projects at most: a host's /project/delete makes room"
    case .projectsSavedTooFast(let seconds):
      "you have saved many times: one more may be saved every \(seconds) s; the room is kept all the same"
    case .noSuchPart(let name, let left):
      left.isEmpty
        ? "\(name) has left nothing here that could be taken over"
        : "\(name) has left nothing here that could be taken over; \(left.map(\.text).joined(separator: ", ")) has"

    // MARK: Takes
    case .takesNotKept:
      """
      no takes are kept here: the server was started with --data none, or cannot read its catalogue; its \
      start says which
      """
    case .noSuchTake(let id): "there is no take \(Refusal.quoted(id)) in the list of takes"
    case .badTakeName:
      """
      a take's name has 1…\(Limits.standard.nameCharacters) characters \
      of at most \(Limits.standard.nameBytes) bytes, and no slashes or line breaks
      """
    case .nothingTaken: "nothing was played in these bars: play, and then keep it"
    case .noTakeStarted: "no take was started: /take/start begins one"
    case .takeStarted: "a take was started already: /take/stop ends it"
    case .takeNotOver(let id): "take \(Refusal.quoted(id)) is still played: wait for its end"
    case .takeTooShort(let id, let bars):
      "take \(Refusal.quoted(id)) has \(bars) bars: name the first and the last of them"
    case .takeNotKept(let reason): "it could not be kept: \(reason)"
    case .takesBusy: "the server has much to write just now: try again in a moment"
    case .noSuchForm(let form):
      """
      nothing is written as \(Refusal.quoted(form)): ask for \
      \(ExportForm.allCases.map(\.rawValue).joined(separator: ", "))
      """
    case .loopsHaveNoScore: "only takes have scores: of a project, ask for its sound, its notes or its stems"
    case .nothingGoesRound: "nothing goes round in this project: record a loop or start a lane, and ask again"
    case .badExportOption(let option):
      """
      \(Refusal.quoted(option)) is no option: there are by=player, pad, layer or hand, wet=1, format=24 or \
      float, and bars=3-6
      """
    case .noSuchExport(let address): "no \(Refusal.quoted(address)) is being made"
    case .tooManyExports(let most):
      "\(most) files of yours are being made: wait for one, or give one up with /export/cancel"
    case .takesKeptTooFast(let seconds):
      "you have kept many takes in a short time: one more every \(seconds) s, or ask a host"
    case .starredTakesFull(let most):
      "\(most) takes are starred, and that is the most: take a star off another one, or ask a host"

    // MARK: Library
    case .searchTooLong(let most): "a search has \(most) bytes at most: look for fewer words"
    case .badSearchFilter(let filter):
      """
      \(Refusal.quoted(filter)) says nothing: there are kind:kit, kind:block, kind:sound, and tempo:120 or \
      tempo:120-130
      """
    case .searchesTooFast(let count): "you search too often: \(count) times a second are answered"
    case .libraryBusy: "the server has much to look up just now: try again in a moment"
    case .libraryUnreadable: "the library cannot be read just now: try again later"
    case .blockNotShared(let id): "nobody shares a block \(Refusal.quoted(id)): /search finds those that are shared"

    // MARK: Undo
    case .nothingToUndo:
      "there is nothing to undo: you have changed nothing yet, or taken it all back; /redo does it again"
    case .nothingToRedo: "there is nothing to do again: /undo takes something back first"
    case .nothingToTakeBack(let name):
      "\(name) has recorded, set and saved nothing here that is still there"
    case .nothingToUndoInRoom:
      "there is nothing to undo: nobody has changed what is the room's yet, or all is taken back; "
        + "/room/redo does it again"
    case .nothingToRedoInRoom: "there is nothing to do again: /room/undo takes something back first"

    // MARK: Connections
    case .tooManySubscriptions(let count):
      "\(count) ports of your host are subscribed already: /unsubscribe one first"
    case .tooManyUnprovenSubscriptions:
      "too many addresses are subscribed that have not proven themselves: echo the /cookie, then subscribe again"
    case .tooManyWatchers(let count):
      "\(count) watch this room's monitor already: one of them ends it first; a host always may"
    case .tooManyMessages(let most):
      "more than \(most) messages a second came from you: some were dropped, send fewer"
    case .tooManyMatches(let most):
      "patterns of yours match more than \(most) addresses a second: some were dropped, send fewer"
    case .tooMuchTime:
      "what came from you takes more time than your share of the server: some was dropped, send less"
    case .outOfOrder(let milliseconds, let most):
      "it came \(milliseconds) ms behind a packet with a higher /seq and was dropped: order is restored over \(most) ms"
    case .frameUnfinished(let seconds, let bytes):
      "the frame that began \(seconds) s ago was not finished within \(seconds) s: "
        + "\(bytes == 1 ? "1 byte" : "\(bytes) bytes") of it came"
    case .connectionsFull(let most):
      "all \(most) connections are taken, and this one has no name: come again with /hello"
    case .unknownController(let name, let known):
      known.isEmpty
        ? "no controller announces itself here: open its app, and let it be found there"
        : "no controller named \(name.prefix(32)) announces itself here; there are: "
          + known.joined(separator: ", ")
    case .controllerTaken(let name, let player):
      "\(name.prefix(32)) shows the lights of \(player?.text ?? "another player"), "
        + "who turns them off with /controller/lights, or leaves"
    case .ownPort(let port):
      """
      port \(port) is the server's own: name the port at which your controller receives, as \
      /subscribe 9000
      """
    case .wrongPort(let web, let osc):
      "port \(web) is the page's: send OSC to port \(osc)"
    }
  }
}
