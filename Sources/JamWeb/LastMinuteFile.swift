import JamStream
import NIOCore
import NIOHTTP1
import Synchronization

/// `GET /last.wav`: the end of a room's tape, read piece by piece at the pace of the client.
enum LastMinuteFile {
  static func response(to request: HTTPRequest, room: any WebRoom, places: Places) -> Response {
    let wish = request.query["seconds"] ?? "60"
    guard let seconds = Double(wish), seconds > 0 else {
      return .text(.badRequest, "seconds=\(wish) is no length: use 1…60 (/last.wav?seconds=20)")
    }
    let minute = LastMinute(tape: room.tape, seconds: seconds)
    let headers = [
      ("Content-Type", LastMinute.mediaType), ("Cache-Control", "no-store"), ("Accept-Ranges", "none"),
    ]
    guard let place = places.take() else {
      return .text(
        .serviceUnavailable, "\(places.count) others fetch the last minute now: try again in a few seconds",
        headers: [("Retry-After", "5")])
    }
    return Response(
      headers: headers, body: .pieces(Pieces(minute: minute, place: place, room: room), length: Int(minute.byteCount)))
  }

  /// The number of clients that may fetch at once, because each holds two pieces in memory.
  final class Places: Sendable {
    let count: Int
    private let taken = Atomic<Int>(0)

    init(_ count: Int) { self.count = count }

    func take() -> Place? {
      guard taken.wrappingAdd(1, ordering: .relaxed).newValue <= count else {
        taken.wrappingSubtract(1, ordering: .relaxed)
        return nil
      }
      return Place(self)
    }

    fileprivate func giveBack() { taken.wrappingSubtract(1, ordering: .relaxed) }
  }

  /// Held while the file is being sent.
  final class Place: Sendable {
    private let places: Places
    fileprivate init(_ places: Places) { self.places = places }
    deinit { places.giveBack() }
  }

  private struct Pieces: PieceSource {
    var minute: LastMinute
    let place: Place
    /// Keeps the tape's memory, because the room may close before the whole file is sent.
    let room: any WebRoom

    mutating func next(allocator: ByteBufferAllocator) -> ByteBuffer? {
      minute.nextChunk().map { allocator.buffer(bytes: $0) }
    }
  }
}
