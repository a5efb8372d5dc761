import JamCore

/// Turns a folder of sound files into a kit.
public struct KitImporter: Sendable {
  public init() {}
}
