package import JamKit

extension KitCheck {
  /// The problems of a kit of test sounds: the level of its beat does not matter.
  package static func faults(of folder: KitFolder) -> [KitError] {
    problems(of: folder).filter { if case .beatLevel = $0.reason { false } else { true } }
  }
}
