public import JamKit

/// The reason why the kits and sounds of a file were not kept. Nothing of the file is left then.
public enum DeliveryProblem: Error, Hashable {
  case kit(KitError)
  /// Another kit has this id.
  case taken(String)
  /// The file has more than anybody may bring at once.
  case tooMany(SavingKind, count: Int, most: Int)
  /// The sender has brought much lately, and may bring so much again in `seconds`.
  case tooSoon(SavingKind, seconds: Int)
}
