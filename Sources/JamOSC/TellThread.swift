internal import JamNet
internal import JamRealtime
internal import Synchronization

/// Sends what the room thread tells, on a thread of its own, so that no hit waits for the sending.
///
/// A few parcels go to and fro by two rings. The room thread fills one, exchanges it for an empty
/// one at the end of its turn, and never waits: while all others are under way, it goes on filling
/// the one that it has.
/// Thread: `exchange` belongs to the room thread; any other thread starts and stops.
final class TellThread: @unchecked Sendable {
  // Unchecked: a parcel, and the sender, belong to the thread that has it. The rings and `isOver`
  // hand them over.
  private let parcels: [Parcel]
  private let sender: ParcelSender
  private let full = RingOwner<Int32>(capacity: TellThread.parcelCount)
  private let empty = RingOwner<Int32>(capacity: TellThread.parcelCount)
  private let wake = WakeSignal()
  private let thread = RealtimeThread(name: "bandshell-tell")
  private let isStopping = Atomic<Bool>(false)
  /// The thread has ended. The room thread sends from now on.
  private let isOver = Atomic<Bool>(false)

  private static let parcelCount = 4
  /// The parcel that the room thread fills first.
  var first: Parcel { parcels[0] }

  init(sockets: [DatagramSocket], counters: OSCCounters) {
    parcels = (0..<Int32(TellThread.parcelCount)).map { Parcel(number: $0) }
    sender = ParcelSender(sockets: sockets, counters: counters)
    for parcel in parcels.dropFirst() { empty.ring.push(parcel.number) }
  }

  /// Starts the thread, below all threads whose work is heard.
  func start(priority: Int = 10) { thread.start(priority: priority) { [self] in run() } }

  /// Sends everything that was handed over, and ends the thread. The room thread sends what it
  /// tells later.
  func stop() {
    isStopping.store(true, ordering: .releasing)
    wake.raise()
    thread.join()
    // A parcel may have come behind the thread's last look.
    sendAll()
    isOver.store(true, ordering: .releasing)
  }

  /// Hands a parcel over. Thread: the room thread.
  /// - Returns: an empty parcel for the next turn; nil where none is back yet, and the caller keeps
  ///   its own.
  func exchange(_ parcel: Parcel) -> Parcel? {
    look()
    guard let number = empty.ring.pop() else { return nil }
    full.ring.push(parcel.number)
    wake.raise()
    look()
    return parcels[Int(number)]
  }

  /// Sends what was handed over while the thread ended. Thread: the room thread.
  func look() { if isOver.load(ordering: .acquiring) { sendAll() } }

  private func run() {
    while true {
      let ticket = wake.ticket
      // Looked at first, so that what was handed over before the end is sent.
      let isLast = isStopping.load(ordering: .acquiring)
      sendAll()
      if isLast { return }
      wake.wait(since: ticket, atMostMilliseconds: 60_000)
    }
  }

  private func sendAll() {
    while let number = full.ring.pop() {
      sender.send(parcels[Int(number)])
      empty.ring.push(number)
    }
  }
}
