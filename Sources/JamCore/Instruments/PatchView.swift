/// A patch in memory, as an engine reads it.
///
/// A view owns no memory, like `SampleView`. The engine copies the patch when the note begins.
/// Thread: any; the memory of the view never changes. Real-time safe.
@frozen
public struct PatchView: Equatable, BitwiseCopyable, @unchecked Sendable {
  /// The contents of the memory.
  @frozen
  public struct Content: BitwiseCopyable, Sendable {
    public var settings: PatchSettings
    /// A number that distinguishes instruments; see `Patch.number`.
    public var instrument: UInt32

    @inlinable public init(settings: PatchSettings, instrument: UInt32) {
      self.settings = settings
      self.instrument = instrument
    }
  }

  // Unchecked: no code writes to the pointer's memory after the view was made.
  public let content: UnsafePointer<Content>

  @inlinable public init(_ content: UnsafePointer<Content>) { self.content = content }
}
