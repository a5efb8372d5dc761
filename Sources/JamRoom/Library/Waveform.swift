public import JamCore
internal import JamKit

/// The loudness of a sound along its length, for drawing it.
public struct Waveform: Hashable, Sendable {
  /// Peaks of equal parts of the sound, both channels together, 255 is full scale.
  public var peaks: [UInt8]
  public var duration: Frames

  /// Of a sound that is drawn on its pad.
  static let partsOfPad = 48

  /// - Parameter count: parts at most; a sound of fewer frames has as many parts as frames.
  init(of view: SampleView, count: Int) {
    let frames = Int(view.frameCount)
    let parts = min(max(count, 1), max(frames, 1))
    peaks = (0..<parts).map { part in
      var peak: Float = 0
      for frame in Range(from: part * frames / parts, to: (part + 1) * frames / parts) {
        peak = max(peak, abs(view.left[frame]), abs(view.right[frame]))
      }
      return UInt8(clamping: Int(saturating: Double(min(peak, 1) * 255)))
    }
    duration = view.duration
  }
}

extension Room {
  /// The kits to choose from, in the order of the room's list. Thread: any.
  public nonisolated var kits: [Kit] { kitStore.listedKits }
  /// The instruments of the server. Thread: any.
  public nonisolated var instruments: Instruments { kitStore.instruments }

  /// The waveform of any sound for pads; of several layers the loudest, which stands for the pad.
  /// - Parameter call: is called once, on any thread; with nil where there is no such sound.
  /// - Thread: any.
  public nonisolated func waveform(of id: SampleID, count: Int, then call: @escaping @Sendable (Waveform?) -> Void) {
    switch id {
    case .pad(let pad, let kit):
      // A person who looks at many waveforms does not wait behind players, nor they behind it.
      kitStore.load(kit, for: "waveforms") { result in
        let sound = (try? result.get())?.plain(pad)?.layers.last?.sounds.first
        call(sound.map { Waveform(of: $0.view, count: count) })
      }
    case .own(let hash):
      kitStore.own(hash, for: "waveforms") { result in
        call((try? result.get()).map { Waveform(of: $0.sound.view, count: count) })
      }
    case .patch, .nothing: call(nil)
    }
  }

  /// The waveforms of a kit's 16 pads, each in up to 48 parts; nil is a pad without a sound.
  /// - Parameter call: is called once, on any thread; with nil where there is no such kit.
  /// - Thread: any.
  public nonisolated func waveforms(ofKit id: String, then call: @escaping @Sendable ([Waveform?]?) -> Void) {
    kitStore.load(id, for: "waveforms") { [kitStore] result in
      guard let kit = try? result.get() else { return call(nil) }
      if let drawn = kit.waveforms { return call(drawn) }
      // A kit in memory is there at once, on a thread that must not wait.
      kitStore.inBackground(.reading(for: "waveforms"), "waveforms of \(id)") {
        (drawn: Result<[Waveform?], KitError>) in
        call(try? drawn.get())
      } _: {
        kit.draw()
      }
    }
  }
}
