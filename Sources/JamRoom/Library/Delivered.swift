internal import JamKit

/// Kits and sounds of a file that were written. `KitStore.settle` has to follow: it leaves them, or
/// removes them again.
///
/// Thread: any; a plain value.
public struct Delivered: Sendable {
  /// The ids on this server of the kits that the file brought.
  public let ids: [String: String]
  var sounds: [ContentHash] = []
  var kits: [String] = []
  /// The file is one kit, which no note tells of.
  let isPart: Bool
  /// Held until it is settled; nil for a command's, which has no turns.
  let turn: DeliveryTurn?

  init(_ delivery: Delivery, _ turn: DeliveryTurn?) {
    ids = delivery.ids
    isPart = delivery.isPart
    self.turn = turn
  }

  /// Everything was written.
  func isAll(of delivery: Delivery) -> Bool {
    sounds.count == delivery.sounds.count && kits.count == delivery.kits.count
  }
}
