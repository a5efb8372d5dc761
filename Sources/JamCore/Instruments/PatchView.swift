/// A patch in memory as an engine reads it.
///
/// A view owns nothing, as a `SampleView` does not. The engine copies the patch as the note begins.
/// Thread: any; the memory behind it never changes. Real-time safe.
@frozen
public struct PatchView: Equatable, BitwiseCopyable, @unchecked Sendable {
  /// What the memory holds.
  @frozen
  public struct Content: BitwiseCopyable, Sendable {
    public var settings: PatchSettings
    /// Tells instruments apart: see `Patch.number`.
    public var instrument: UInt32

    @inlinable public init(settings: PatchSettings, instrument: UInt32) {
      self.settings = settings
      self.instrument = instrument
    }
  }

  // Unchecked: the pointer leads to memory that nobody writes after the view was made.
  public let content: UnsafePointer<Content>

  @inlinable public init(_ content: UnsafePointer<Content>) { self.content = content }
}
