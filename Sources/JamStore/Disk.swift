/// One folder of a disk, with the operations that a journal needs. Written bytes survive a loss of
/// power once the file was synced. A file's name does once the folder was synced.
///
/// Thread: any; every call may wait for the disk.
public protocol Disk: Sendable {
  /// The files in the folder; none where the folder does not exist yet.
  func names() throws(DiskError) -> [String]
  func read(_ name: String) throws(DiskError) -> [UInt8]
  /// Creates a file to append to. A file of that name is emptied.
  func create(_ name: String) throws(DiskError) -> any DiskFile
  func rename(_ name: String, to new: String) throws(DiskError)
  func remove(_ name: String) throws(DiskError)
  /// Makes new names and removals survive a loss of power.
  func syncFolder() throws(DiskError)
}

/// A file to append to. It is closed when the last reference to it ends.
///
/// Thread: one thread may append while another one syncs.
public protocol DiskFile: AnyObject, Sendable {
  /// Appends all bytes. After an error, an unknown part of them is written.
  func append(_ bytes: [UInt8]) throws(DiskError)
  /// Makes the appended bytes survive a loss of power.
  func sync() throws(DiskError)
}

/// The reason why the disk refused a call.
public struct DiskError: Error, Hashable, CustomStringConvertible {
  /// An `errno`.
  public let code: Int32
  /// The operation that failed, with the file.
  public let deed: String

  public init(_ deed: String, code: Int32) {
    self.deed = deed
    self.code = code
  }

  public var description: String { "cannot \(deed) (\(DiskError.text(code)))" }
}
