/// One folder of a disk, as far as a journal needs it. What is written is on the disk for good once it was synced; a name is once the
/// folder was.
///
/// Thread: any; every call may wait for the disk.
public protocol Disk: Sendable {
  /// The files in the folder; none where there is no folder yet.
  func names() throws(DiskError) -> [String]
  func read(_ name: String) throws(DiskError) -> [UInt8]
  /// A new file to append to; one of that name is emptied.
  func create(_ name: String) throws(DiskError) -> any DiskFile
  func rename(_ name: String, to new: String) throws(DiskError)
  func remove(_ name: String) throws(DiskError)
  /// Makes names and removals last.
  func syncFolder() throws(DiskError)
}

/// A file that is appended to. It is closed as it is let go of.
///
/// Thread: one that appends and one that syncs, at once.
public protocol DiskFile: AnyObject, Sendable {
  /// All of it, or an error: then an unknown part of it is written.
  func append(_ bytes: [UInt8]) throws(DiskError)
  /// Makes what was appended last.
  func sync() throws(DiskError)
}

/// What the disk refused.
public struct DiskError: Error, Hashable, CustomStringConvertible {
  /// An `errno`.
  public let code: Int32
  /// What was tried, with the file.
  public let deed: String

  public init(_ deed: String, code: Int32) {
    self.deed = deed
    self.code = code
  }

  public var description: String { "cannot \(deed) (\(DiskError.text(code)))" }
}
