public import JamCore
public import JamRealtime

/// A kit in memory, with the count of what still sounds from it.
///
/// Thread: any; immutable. It must outlive its bank's count: whoever lets go of it looks at `bank.count` first.
public final class PlayableKit: Sendable {
  public let kit: Kit
  /// Sixteen; nil is an empty pad.
  public let samples: [SampleView?]
  public let bank: BankUse
  private let owner: any AnyObject & Sendable

  /// - Parameter owner: keeps the samples' memory.
  public init(kit: Kit, samples: [SampleView?], owner: any AnyObject & Sendable) {
    precondition(samples.count == Pad.count)
    self.kit = kit
    self.samples = samples
    self.owner = owner
    bank = BankUse()
  }

  deinit {
    precondition(bank.count == 0, "a kit was let go of while it sounded")
    bank.deallocate()
  }
}
