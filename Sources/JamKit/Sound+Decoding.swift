import CSndfile
import Glibc
import JamCore

extension Sound {
  /// The sample rates that are accepted. A header with a rate beyond them is wrong.
  package static let rates = 1_000...768_000
  /// Far beyond any real recording's peak: 36 dB over full scale.
  static let loudest: Float = 64

  /// The highest rate that a sound keeps. A sound of a higher rate is brought to 48 kHz while it is
  /// read.
  package enum KeptRates: Int {
    /// Every sound comes out at 48 kHz, so a high rate costs time, but no memory.
    case none = 0
    /// For sounds that will be edited: they keep any rate that is common for recordings.
    case recorded = 192_000
  }

  /// Decodes any format that libsndfile knows, block by block, after `SoundFile` has repaired the
  /// file.
  ///
  /// The claims of a header are never trusted. Memory grows with the frames that are really there,
  /// up to `byteLimit` bytes of sound at 48 kHz.
  /// - Throws: `KitError` naming `file`.
  package init(
    decoding bytes: [UInt8], named file: String, byteLimit: Int, keeping rates: KeptRates = .recorded
  ) throws(KitError) {
    try self.init(decoding: SoundFile(bytes), named: file, byteLimit: byteLimit, keeping: rates)
  }

  /// The same, for who also tells what was done to the file.
  ///
  /// Of several links those are left out that hold no sound.
  package init(
    decoding source: SoundFile, named file: String, byteLimit: Int, keeping rates: KeptRates = .recorded
  ) throws(KitError) {
    var notes: [String] = []
    try self.init(decoding: source, named: file, byteLimit: byteLimit, keeping: rates, notes: &notes)
  }

  /// - Parameter notes: takes all that was done to the file.
  package init(
    decoding source: SoundFile, named file: String, byteLimit: Int, keeping rates: KeptRates = .recorded,
    notes: inout [String]
  ) throws(KitError) {
    notes += source.notes
    let count = source.links.count
    var whole: Sound?
    var failures: [KitError] = []
    for (index, link) in source.links.enumerated() {
      let used = whole.map { SampleMemory.byteCount(frames: $0.framesAfterResampling, channels: $0.channels) } ?? 0
      do throws(KitError) {
        let part = try Sound(link: link, named: file, byteLimit: max(0, byteLimit - used), keeping: rates)
        if whole == nil { whole = part } else { try whole?.append(part, named: file) }
      } catch {
        // The error names the whole limit, because the owner does not know the limit of one link.
        if case .kitTooLarge = error.reason { throw KitError(file, .kitTooLarge(limit: byteLimit)) }
        guard error.isOfOneLink, failures.count < Self.mostLostLinks else { throw error }
        failures.append(error)
        notes.append("part \(index + 1) of \(count) was left out: it \(error.reason.text)")
      }
    }
    guard let whole else { throw failures.first ?? KitError(file, .empty) }
    self = whole
  }

  /// More links without sound are no damage any more, but made to cost time.
  private static let mostLostLinks = 8

  /// Two sounds in a row. Where one is stereo, both are; where their rates differ, both are brought
  /// to 48 kHz.
  private mutating func append(_ other: Sound, named file: String) throws(KitError) {
    var other = other
    if other.rate != rate {
      self = try resampled(named: file)
      other = try other.resampled(named: file)
      depth = .twentyFour
    }
    if other.channels != channels {
      widen()
      other.widen()
    }
    if other.depth == .twentyFour { depth = .twentyFour }
    interleaved += other.interleaved
  }

  /// Puts a mono sound on both sides.
  private mutating func widen() {
    guard channels == 1 else { return }
    interleaved = interleaved.flatMap { [$0, $0] }
    channels = 2
  }

  private init(
    link bytes: [UInt8], named file: String, byteLimit: Int, keeping rates: KeptRates
  ) throws(KitError) {
    guard !bytes.isEmpty else { throw KitError(file, .empty) }
    if let cut = SoundContainer(bytes).shortfall {
      throw KitError(
        file, .damaged(cause: "it ends after \(cut.foundBytes) of its sound's \(cut.claimedBytes) bytes"))
    }
    // Array's closures do not carry typed errors yet.
    let result = bytes.withUnsafeBytes { bytes -> Result<Sound, KitError> in
      var source = MemoryFile(bytes)
      return withUnsafeMutablePointer(to: &source) { source in
        Result { () throws(KitError) in
          try SoundReader(source, named: file).readAll(byteLimit: byteLimit, keeping: rates)
        }
      }
    }
    self = try result.get()
  }
}

extension KitError {
  /// Whether it speaks of one link alone, so that the others may be good.
  fileprivate var isOfOneLink: Bool {
    switch reason {
    case .empty, .notSound, .damaged, .tooManyChannels, .badRate: true
    default: false
    }
  }
}

/// A sound file in memory that libsndfile reads.
private struct SoundReader: ~Copyable {
  private let handle: OpaquePointer
  private let info: SF_INFO
  private let file: String

  /// - Parameter source: must outlive the reader.
  init(_ source: UnsafeMutablePointer<MemoryFile>, named file: String) throws(KitError) {
    var info = SF_INFO()
    var calls = MemoryFile.calls
    switch SoundFileOpening.open({ sf_open_virtual(&calls, Int32(SFM_READ), &info, source) }) {
    case .opened(let handle): self.handle = handle
    case .failed(let cause):
      let foreign = ForeignSound.kind(of: source.pointee.bytes)
      throw KitError(file, .notSound(cause: foreign.map { "it is \($0)" } ?? Self.inPlainWords(cause)))
    }
    self.info = info
    self.file = file
  }

  deinit { sf_close(handle) }

  consuming func readAll(byteLimit: Int, keeping rates: Sound.KeptRates) throws(KitError) -> Sound {
    guard (1...2).contains(info.channels) else { throw KitError(file, .tooManyChannels(count: Int(info.channels))) }
    guard Sound.rates.contains(Int(info.samplerate)) else {
      throw KitError(file, .badRate(hertz: Int(info.samplerate)))
    }
    let channels = Int(info.channels)
    let rate = Int(info.samplerate)
    let isKept = rate == Int(Frames.perSecond) || rate <= rates.rawValue
    var sound = Sound(
      interleaved: [], channels: channels, rate: isKept ? rate : Int(Frames.perSecond),
      depth: isKept ? depth : .twentyFour)
    // The claimed length only reserves address space: memory that no frame is written to is never
    // touched.
    let claimed = Sound.frames(Int(clamping: min(max(0, info.frames), 1 << 40)), at: rate, broughtTo: sound.rate)
    if SampleMemory.byteCount(frames: claimed, channels: channels) <= byteLimit {
      sound.interleaved.reserveCapacity(claimed * channels)
    }
    var resampler = isKept ? nil : try Resampler(from: rate, channels: channels, named: file)
    var frames = 0
    var isSound = true
    let chunkFrames = 8_192
    var chunk = [Float](repeating: 0, count: chunkFrames * channels)
    while true {
      let got = chunk.withUnsafeMutableBufferPointer {
        sf_readf_float(handle, $0.baseAddress, sf_count_t(chunkFrames))
      }
      guard got > 0 else { break }
      frames += Int(got)
      let part = chunk[..<(Int(got) * channels)]
      isSound = isSound && part.allSatisfy { abs($0) <= Sound.loudest }
      let wanted = Sound.frames(frames, at: rate, broughtTo: Int(Frames.perSecond))
      let needed = SampleMemory.byteCount(frames: wanted, channels: channels)
      guard needed <= byteLimit else { throw KitError(file, .kitTooLarge(limit: byteLimit)) }
      if resampler == nil {
        sound.interleaved.append(contentsOf: part)
      } else {
        part.withUnsafeBufferPointer { resampler!.resample($0, into: &sound.interleaved) }
      }
    }
    try check(frames, isSound: isSound)
    resampler?.finish(into: &sound.interleaved)
    guard sound.frames > 0 else { throw KitError(file, .empty) }
    return sound
  }

  /// 24 bits where the source has more than 16. A lossy format has no exact bits to keep, so 16
  /// suffice.
  private var depth: Sound.Depth {
    switch Int(info.format) & SF_FORMAT_SUBMASK {
    case SF_FORMAT_PCM_24, SF_FORMAT_PCM_32, SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE, SF_FORMAT_ALAC_20, SF_FORMAT_ALAC_24,
      SF_FORMAT_ALAC_32:
      .twentyFour
    default: .sixteen
    }
  }

  private borrowing func check(_ frames: Int, isSound: Bool) throws(KitError) {
    guard sf_error(handle) == 0 else {
      throw KitError(file, .damaged(cause: Self.inPlainWords(String(cString: sf_strerror(handle)))))
    }
    guard frames > 0 else { throw KitError(file, .empty) }
    // A format that states its length at the beginning must have that many frames. SF_COUNT_MAX
    // stands for an unknown length.
    if info.format & Int32(SF_FORMAT_TYPEMASK) == Int32(SF_FORMAT_FLAC), info.frames > 0,
      info.frames < Int64.max, Int64(frames) < info.frames
    {
      throw KitError(file, .damaged(cause: "it ends after \(frames) of \(info.frames) frames"))
    }
    guard isSound else { throw KitError(file, .damaged(cause: "it holds values that are no sound")) }
  }

  /// What libsndfile calls an internal error is one of the file: it lacks a length, a rate, or what
  /// is in it.
  private static func inPlainWords(_ message: String) -> String {
    message.lowercased().contains("internal error")
      ? "its header does not say enough of its sound, or contradicts itself" : withoutStop(message)
  }

  private static func withoutStop(_ message: String) -> String {
    var text = message
    while text.last == "." || text.last == "\n" { text.removeLast() }
    return text
  }
}

private func memoryFile(_ user: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<MemoryFile> {
  // libsndfile passes back the pointer that `SoundReader` gave it.
  user.unsafelyUnwrapped.assumingMemoryBound(to: MemoryFile.self)
}

/// Bytes that libsndfile reads as a file.
private struct MemoryFile {
  fileprivate let bytes: UnsafeRawBufferPointer
  fileprivate private(set) var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  static var calls: SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: { sf_count_t(memoryFile($0).pointee.bytes.count) },
      seek: { offset, whence, user in memoryFile(user).pointee.seek(Int(offset), whence) },
      read: { target, count, user in memoryFile(user).pointee.read(into: target, Int(count)) },
      write: { _, _, _ in 0 },
      tell: { sf_count_t(memoryFile($0).pointee.position) })
  }

  fileprivate mutating func seek(_ offset: Int, _ whence: Int32) -> sf_count_t {
    let origin = whence == SEEK_CUR ? position : whence == SEEK_END ? bytes.count : 0
    let (target, overflow) = origin.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return -1 }
    position = target
    return sf_count_t(position)
  }

  fileprivate mutating func read(into target: UnsafeMutableRawPointer?, _ count: Int) -> sf_count_t {
    guard let target, count > 0, position < bytes.count else { return 0 }
    // In order: the guard has made sure that something is left to read.
    let part = bytes[position..<(position + min(count, bytes.count - position))]
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: part).baseAddress!, byteCount: part.count)
    position += part.count
    return sf_count_t(part.count)
  }
}
