/// A Debian package of recorded sounds. Kits may name its files instead of carrying them.
///
/// The list is closed, because a kit from somebody else must not name any folder of this machine.
public struct KitPack: Hashable, Sendable {
  /// The package's name, as a `kit.json` states it.
  public let package: String
  /// The package's content, in a few words.
  public let about: String
  public let licence: String
  /// The folder where the package puts its sounds.
  let home: String

  public static let sonicPi = KitPack(
    package: "sonic-pi-samples", about: "drums, breaks, tabla, basses, guitars", licence: "CC0 1.0",
    home: "/usr/share/sonic-pi/samples")

  public static let hydrogen = KitPack(
    package: "hydrogen-drumkits", about: "acoustic and electronic drum sets, djembes",
    licence: "GPL 2, CC BY-SA 3.0 and others", home: "/usr/share/hydrogen/data/drumkits")

  public static let all = [sonicPi, hydrogen]

  public static func named(_ package: String) -> KitPack? { all.first { $0.package == package } }

  /// The command that installs the package.
  public var command: String { "sudo apt-get install \(package)" }
}
