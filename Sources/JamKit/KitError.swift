internal import JamCore

/// A problem of a kit or a sound file: the place, what is wrong, and what would be right.
///
/// `description` is the one line that a user reads.
public struct KitError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file or folder at fault.
  public var file: String
  /// The field of a `kit.json` or `recipe.json`, as `pad 3, gain`; nil where the whole file is
  /// meant.
  public var field: String?
  public var reason: Reason

  public init(_ file: String, field: String? = nil, _ reason: Reason) {
    self.file = file
    self.field = field
    self.reason = reason
  }

  /// Whether only space is missing: the sound or kit is good, but the disk is full or the folder
  /// holds its limit.
  public var isLackOfSpace: Bool {
    switch reason {
    case .unwritable, .tooManyKept: true
    default: false
    }
  }

  /// The reason. Each case's text ends with the remedy.
  public enum Reason: Hashable, Sendable {
    /// The operating system refused; `cause` is its own message.
    case unreadable(cause: String)
    case unwritable(cause: String)
    case noSuchFolder
    case noPackFolder
    /// A file where a folder is expected.
    case notAFolder
    /// The folder for a new kit does not exist.
    case noPlace
    case noSuchFile
    /// A folder without a `kit.json` where kits are expected.
    case noKit
    case notAFile
    /// Larger than `limit` bytes.
    case tooLarge(limit: Int)
    /// The kit's sounds need more than `limit` bytes of memory.
    case kitTooLarge(limit: Int)
    /// Not JSON; `cause` is the reader's own message.
    case notJSON(cause: String)
    case missing(what: String)
    case unknownField(near: String?)
    case wrongType(expected: String, found: String)
    case outOfRange(found: String, expected: String)
    case leavesFolder(path: String)
    case duplicate(what: String)
    /// The field excludes the field `with`.
    case conflict(with: String)
    /// The same sounds, played the same way, as another pad's.
    case sameSound(as: String)
    /// Longer than `limit` seconds.
    case tooLong(seconds: Double, limit: Int)
    /// Longer than `limit` seconds. The exact length was not measured.
    case muchTooLong(limit: Int)
    case badID
    case unknownKit(near: String?)
    case notSound(cause: String)
    case damaged(cause: String)
    case tooManyChannels(count: Int)
    case badRate(hertz: Int)
    case empty
    case noPads
    case silent
    case tooLoud(decibels: Double)
    case offset(level: Double)
    case click(atEnd: Bool)
    /// The demo beat has `loudness` LUFS and a true peak of `peak` dBTP. It would be right if all
    /// pads were louder by `change` dB.
    case beatLevel(loudness: Double, peak: Double, change: Double)
    case alreadyThere
    /// The package that `kits` have their sounds from is not installed.
    case packMissing(package: String, kits: [String])
    /// The package is installed, but lacks `file`.
    case packIncomplete(package: String, file: String)
    /// Nothing in the source can be played; `unread` tells what is wrong with each file, `notes`
    /// why something else was left out.
    case nothingToImport(ImportKind, unread: [KitError], notes: [String] = [])
    case noSource
    /// `kits slice` should cut a pad, but the kit is missing.
    case noKitToSlice(String)
    case noPadToSlice(Int)
    case emptyPadToSlice(Int)
    /// A folder of sounds also holds `count` folders.
    case subfolders(Int)
    /// A folder holds more than one instrument; the texts are their files' names.
    case severalInstruments([String])
    /// An archive is damaged, or holds something that has no place in a kit.
    case badArchive(cause: String)
    /// An archive holds more than `limit` bytes.
    case unpacksTooLarge(limit: Int)
    /// An archive of an unsupported kind, as `zip`.
    case foreignArchive(kind: String)
    /// A name that is not UTF-8. No file can be opened by such a name.
    case badName
    case notXML(cause: String)
    case notSFZ(cause: String)
    case notSoundFont(cause: String)
    /// A user's own sound that is not kept here.
    case noSuchSound
    /// The folder holds its limit of `limit` sounds already.
    case tooManyKept(limit: Int)
    /// The names of sounds are lost.
    case namesDamaged(cause: String)
    /// The server has no folder for saved kits and sounds.
    case nowhereToKeep
    /// A kit that came with the server and was not saved here, so it cannot be deleted here.
    case notSaved
    /// The player has used up the saves that are allowed for now.
    case savedTooMuch
    /// Too many requests are waiting already.
    case busy
    /// Stretched sounds take `limit` bytes already.
    case noRoomToStretch(limit: Int)
    /// `Int` files of a folder cannot be read; `first` gives the reason for one of them.
    case unreadableFiles(Int, first: String)
    /// A folder, a recording or a drum kit where an instrument is expected.
    case noInstrument
    /// A sound that an imported instrument names is missing.
    case noSuchSample
  }

  /// Whether the kit only waits for a package to be installed.
  public var isMissingPack: Bool { if case .packMissing = reason { true } else { false } }

  /// The same text for players, who do not run the server: a file is shown by its own name, without
  /// the folders that lead to it.
  public var told: String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    var reason = reason
    if case .leavesFolder = reason { reason = .leavesFolder(path: "a sound's name") }
    return (field.map { "\(name): \($0): \(reason.text)" } ?? "\(name): \(reason.text)").printable
  }

  public var description: String {
    (field.map { "\(file): \($0): \(reason.text)" } ?? "\(file): \(reason.text)").printable
  }
}

extension KitError.Reason {
  /// The problem and the remedy, without the file's name.
  public var text: String {
    switch self {
    case .unreadable(let cause): "cannot be read (\(cause)); check its permissions"
    case .unwritable(let cause): "cannot be written (\(cause)); check permissions and free space"
    case .noSuchFolder: "no such folder; name one that holds kit.json and sound files, or a folder of such folders"
    case .notAFolder: "is no folder; name one that holds kit.json and sound files, or a folder of such folders"
    case .noPackFolder:
      "BANDSHELL_PACKS names it, but there is no such folder; name one that holds folders called as packages"
    case .noPlace: "no such folder; make it first, or name a place in one that is there"
    case .noSuchFile: "no such file; put it into the kit's folder or correct its name in kit.json"
    case .noKit: "holds no kit.json; add one, or move the folder elsewhere"
    case .notAFile: "is not a regular file; put a sound file in its place"
    case .tooLarge(let limit): "is larger than \(megabytes(limit)); shorten it or save it as FLAC"
    case .kitTooLarge(let limit):
      "the kit's sounds need more than \(megabytes(limit)) in memory; shorten them or make them mono"
    case .notJSON(let cause): "is not valid JSON (\(cause)); correct it there"
    case .missing(let what): "is missing; add \(what)"
    case .unknownField(let near): near.map { "no such field; did you mean \($0)?" } ?? "no such field; remove it"
    case .wrongType(let expected, let found): "is \(found); write \(expected)"
    case .outOfRange(let found, let expected): "\(found) is out of range; write \(expected)"
    case .leavesFolder(let path): "\(path) leads out of the kit's folder; copy the file into the folder"
    case .duplicate(let what): "\(what) is there twice; keep one"
    case .conflict(let field): "cannot stand beside \(field); keep one of them"
    case .sameSound(let pad): "is the same as \(pad); give it another sound or leave it out"
    case .tooLong(let seconds, let limit): "is \(Int(seconds.rounded(.up))) s long; cut it to \(limit) s"
    case .muchTooLong(let limit): "is longer than \(limit) s; cut it to \(limit) s"
    case .badID: "is no kit id; rename the folder to lower-case letters, digits and hyphens, 32 at most"
    case .unknownKit(let near):
      near.map { "no such kit; did you mean \($0)?" } ?? "no such kit; see bandshell kits list"
    case .notSound(let cause): "is not a sound file that can be read (\(cause)); save it as \(SoundFormat.readable)"
    case .damaged(let cause): "is damaged (\(cause)); save it again"
    case .tooManyChannels(let count): "has \(count) channels; mix it down to mono or stereo"
    case .badRate(let hertz): "claims \(hertz) frames a second; save it at 48000"
    case .empty: "holds no sound; save it again"
    case .noPads: "has no pads; give it one at least"
    case .silent: "is silent; replace it or leave the pad out"
    case .tooLoud(let decibels):
      """
      peaks \(decibels < 0.05 ? "just above 0" : "at \(oneDecimal(decibels))") dBTP; \
      bring its true peak to -1 dBTP or below
      """
    case .offset(let level): "has a constant offset of \(threeDecimals(level)); filter it out"
    case .click(let atEnd): atEnd ? "ends with a click; fade it out" : "starts with a click; cut it at a zero crossing"
    case .beatLevel(let loudness, let peak, let change):
      """
      is at \(oneDecimal(loudness)) LUFS with a true peak of \(oneDecimal(peak)) dBTP; \
      turn all pads \(change < 0 ? "down" : "up") by \(oneDecimal(abs(change)).dropFirst()) dB: \
      -16 LUFS is right, one more or less, with a true peak of -1 dBTP at most
      """
    case .packMissing(let package, let kits):
      """
      \(kits.count == 1 ? "the kit \(kits[0]) has its" : "the kits \(kits.joined(separator: ", ")) have their") \
      sounds in the package \(package), which is not installed; run sudo apt-get install \(package)
      """
    case .packIncomplete(let package, let file):
      "the package \(package) lies here without \(file); run sudo apt-get install --reinstall \(package)"
    case .alreadyThere: "is already there; remove it or name another folder"
    case .nothingToImport(let kind, _, _): kind.lookedFor
    case .noKitToSlice(let id):
      "there is no kit \(id): `bandshell kits list` shows them, --kits says where they are"
    case .noPadToSlice(let number):
      "there is no pad \(number): a kit has pads 1 to \(Pad.count)"
    case .emptyPadToSlice(let number):
      "pad \(number) is empty: name one that has a sound"
    case .noSource:
      """
      no such file or folder; name a Hydrogen kit, an SFZ file, a recording, \
      or a folder of WAV, AIFF, FLAC, OGG or MP3 files
      """
    case .subfolders(let count):
      count == 1
        ? "its subfolder was not looked into; import it by itself"
        : "its \(count) subfolders were not looked into; import them one by one"
    case .severalInstruments(let names):
      """
      holds \(names.count) SFZ instruments; name one of them with --file: \
      \(names.prefix(8).joined(separator: ", "))\(names.count > 8 ? " …" : "")
      """
    case .badArchive(let cause):
      "cannot be unpacked (\(cause)); pack it anew, or unpack it yourself and name the folder"
    case .unpacksTooLarge(let limit):
      "unpacks to more than \(megabytes(limit)); unpack it yourself and name the folder"
    case .foreignArchive(let kind):
      "is a \(kind) archive, and only tar archives (.h2drumkit, .tar, .tar.gz) are read; unpack it and name the folder"
    case .badName: "has a name that is no UTF-8; rename it"
    case .notXML(let cause): "is not XML that can be read (\(cause)); save the kit again in Hydrogen"
    case .notSFZ(let cause): "is not SFZ that can be read (\(cause)); correct it there"
    case .notSoundFont(let cause): "is not a SoundFont that can be read (\(cause)); save it again"
    case .noSuchSound: "no such sound is kept here; bring it along again"
    case .tooManyKept(let limit):
      "cannot be kept: this server keeps \(limit) of them; whoever runs it deletes some from its data folder"
    case .namesDamaged(let cause):
      "\(cause); until then sounds are found by their ids alone, and new names go into a new file"
    case .nowhereToKeep: "cannot be kept: this server keeps nothing; start it with --data DIR, or without --data none"
    case .notSaved: "was not saved here, but came with the server; whoever runs it removes it from its folder"
    case .savedTooMuch: "cannot be kept: you have saved much in a short time; wait some minutes"
    case .busy: "cannot be done now: too much else waits; try again in a few seconds"
    case .noRoomToStretch(let limit):
      "stretched sounds take \(megabytes(limit)) already: stretch this or others less"
    case .unreadableFiles(let count, let first):
      "\(count) files cannot be read, and were left as they are; the first: \(first)"
    case .noInstrument:
      "holds no sampled instrument; name an SFZ file or a SoundFont (kits import makes kits of other sounds)"
    case .noSuchSample: "no such file; put it beside the instrument's other sounds or correct its name there"
    }
  }

  private func megabytes(_ bytes: Int) -> String { bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes) bytes" }

  private func oneDecimal(_ value: Double) -> String {
    let tenths = Int(saturating: (value * 10).rounded())
    return "\(tenths < 0 ? "-" : "+")\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
  }

  private func threeDecimals(_ value: Double) -> String {
    let thousandths = Int(saturating: (value * 1000).rounded())
    let digits = String(1000 + thousandths.magnitude % 1000).dropFirst()
    return "\(thousandths < 0 ? "-" : "")\(thousandths.magnitude / 1000).\(digits)"
  }
}
