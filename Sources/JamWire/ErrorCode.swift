/// The stable word of each reason in an `/error`, for programs to compare.
///
/// A word is never reused for another reason. A refusal and an unreadable message share a word
/// where they have the same meaning.
public struct ErrorCode: Hashable, Sendable {
  /// The header that carries the code of an answer by HTTP.
  public static let header = "Bandshell-Error"

  public let text: String

  /// Internal, so that no other module can make up a code.
  init(_ text: String) { self.text = text }

  // MARK: Answers by HTTP that have words of their own

  public static let argumentMissing = ErrorCode("argument-missing")
  public static let noSuchBlock = ErrorCode("no-such-block")
  public static let noSuchRoom = ErrorCode("no-such-room")
  public static let passwordNeeded = ErrorCode("password-needed")
  public static let tooManyGuesses = ErrorCode("too-many-guesses")
  public static let wrongPassword = ErrorCode("wrong-password")
}
