package import JamCore
import JamDevice
import JamKit
import JamRealtime
package import JamRoom
import Synchronization

/// The machine's audio input. All rooms share it: one recording at a time.
///
/// Thread: any.
package final class ServerInput: SoundRecorder {
  /// Sixty seconds at any rate that a device may have.
  private static let mostSeconds = FinishedSound.longestSeconds

  private let input: ALSAInput
  private let ended = Mutex<(@Sendable (Result<Recording, Refusal>) -> Void)?>(nil)
  // Opening and closing a device takes longer than a room may wait. A recording occupies the whole
  // worker.
  private let background = BackgroundPool(name: "bandshell-input", workers: 1)
  private let wish = WakeSignal()
  private let isToEnd = Atomic(false)

  package init(device: String) { input = ALSAInput(device: device) }

  /// The reason why the input cannot record now, in a line for the operator; nil where it can.
  package var objection: String? {
    do throws(DeviceError) {
      try input.check()
      return nil
    } catch {
      return "--input: \(error). Until then /sample/record is refused"
    }
  }

  package func start(then call: @escaping @Sendable (Result<Recording, Refusal>) -> Void) throws(Refusal) {
    let isFree = ended.withLock { ended in
      guard ended == nil else { return false }
      ended = call
      return true
    }
    guard isFree else { throw .inputTaken }
    isToEnd.store(false, ordering: .releasing)
    background.submit(ServerInput.line) { [self] in record() }
  }

  package func stop() {
    isToEnd.store(true, ordering: .releasing)
    wish.raise()
  }

  private static let line = BackgroundPool.Line("recording", of: "server")

  private func record() {
    do throws(DeviceError) {
      try input.start(mostFrames: ServerInput.mostSeconds * 48_000)
    } catch {
      return finish(.failure(.inputFailed("\(error)")))
    }
    // A recording that ends by itself, because it is full or its device is gone, is handed out as
    // well.
    while true {
      let ticket = wish.ticket
      if isToEnd.load(ordering: .acquiring) || !input.isRecording { break }
      wish.wait(since: ticket, atMostMilliseconds: 100)
    }
    handOut()
  }

  private func handOut() {
    guard let heard = input.stop() else { return finish(.failure(.recordingLost)) }
    if case .failed(let error) = heard.end, heard.frameCount == 0 {
      return finish(.failure(.inputFailed("\(error)")))
    }
    finish(.success(Recording(interleaved: heard.samples, channels: heard.channels, rate: heard.rate)))
  }

  private func finish(_ result: Result<Recording, Refusal>) {
    let call = ended.withLock { ended in
      defer { ended = nil }
      return ended
    }
    call?(result)
  }
}
