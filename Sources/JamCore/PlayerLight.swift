/// How well a player hears the room: a light, and where it is not green the cause and the remedy.
public struct PlayerLight: Hashable, Sendable {
  public enum Lamp: UInt8, CaseIterable, Sendable {
    /// Nothing tells that the player hears the room here.
    case off
    case green, amber, red

    /// The number that clients are told: 1 green, 0.5 amber, 0 red; −1 is off.
    public var number: Float {
      switch self {
      case .off: -1
      case .green: 1
      case .amber: 0.5
      case .red: 0
      }
    }
  }

  /// The largest part of what is wrong.
  public enum Cause: String, CaseIterable, Sendable {
    /// The way between the player and the server.
    case network
    /// Sound that waits in the player's client to be played.
    case buffer
    /// The way from the client to the ear, as over Bluetooth.
    case output
    /// The player's computer has other work.
    case computer
    /// This server.
    case server
    /// The client says nothing of the sound any more.
    case silence
    /// The whole way to the ear, by hits with `/heard`: nothing tells which part of it is long.
    case delay
  }

  public enum Remedy: String, CaseIterable, Sendable {
    /// A cable in the place of the radio.
    case cable
    /// The server is far away: play with the timing `interval`.
    case interval
    /// Shorten the client's buffer: load the page again.
    case reload
    /// Let UDP through to the server's media port.
    case udp
    /// Headphones or loudspeakers with a wire.
    case wire
    /// End other programs on the player's computer.
    case programs
    /// Relieve the server: a faster one, or less of everything on it.
    case relieve
    /// Look at the client: it says nothing.
    case look
    /// Shorten the way to the ear: a smaller buffer, a wire instead of Bluetooth, a cable.
    case shorten
  }

  public let lamp: Lamp
  /// Nil where the lamp is green or off.
  public let cause: Cause?
  public let remedy: Remedy?

  public static let off = PlayerLight(lamp: .off, cause: nil, remedy: nil)
  public static let green = PlayerLight(lamp: .green, cause: nil, remedy: nil)

  public init(_ lamp: Lamp, _ cause: Cause, _ remedy: Remedy) {
    self.init(lamp: lamp, cause: cause, remedy: remedy)
  }

  private init(lamp: Lamp, cause: Cause?, remedy: Remedy?) {
    self.lamp = lamp
    self.cause = cause
    self.remedy = remedy
  }
}
