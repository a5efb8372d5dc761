import JamCommand
import JamCore
import JamDevice
import JamKit
import JamNet
import JamRealtime

/// Looks at everything that a jam needs on this machine: addresses, ports, firewalls, real-time
/// rights, devices and kits. At last it plays a hit.
///
/// Thread: any that may wait, but one at a time.
package struct Doctor {
  private let kitFolders: [String]
  private let ports: ServerPorts

  /// - Parameter ports: those of the server that runs here, or is to run here.
  package init(kitFolders: [String], ports: ServerPorts) {
    self.kitFolders = kitFolders
    self.ports = ports
  }

  /// Makes all checks, one after the other.
  /// - Parameter tell: takes each finding as soon as it is known.
  package func examine(_ tell: (Finding) -> Void) {
    addresses().forEach(tell)
    portFindings().forEach(tell)
    Firewall(ports: ports).findings().forEach(tell)
    [realtime(), sound(), midi()].forEach(tell)
    ControllerLook.findings().forEach(tell)
    kitFindings().forEach(tell)
    tell(TestHit.finding(kitFolders: kitFolders))
  }

  private func addresses() -> [Finding] {
    guard let networks = try? AttachedNetworks.current() else {
      return [.bad("addresses: the system does not list its interfaces", "look at `ip address`")]
    }
    let others = networks.localNetworkInterfaces.filter { !$0.isVirtual && !$0.address.isLinkLocal }
    guard !others.isEmpty else {
      return [
        .bad(
          "addresses: this machine is on no network that others share",
          "join a network; on this machine 127.0.0.1 works")
      ]
    }
    return [.good("addresses: " + others.map { "\($0.address.hostText) (\($0.name))" }.joined(separator: ", "))]
  }

  /// A server of ours that answers is looked at. The ports that it has taken are no problem.
  private func portFindings() -> [Finding] {
    guard let server = runningServer() else { return ports.all.map { PortProbe.finding($0) } }
    return server.findings(ports)
  }

  private func runningServer() -> RunningServer? {
    guard ports.http.port != 0 else { return nil }
    let named = ports.http.host.flatMap { SocketAddress(host: $0) }
    let host = named.map { $0.isAny ? "127.0.0.1" : $0.hostText } ?? "127.0.0.1"
    func answer(to path: String) -> String? {
      LoopbackHTTP.get(path, port: ports.http.port, at: host)
    }
    guard let health = answer(to: "/health") else { return nil }
    return RunningServer(health: health, metrics: answer(to: "/metrics"))
  }

  private func realtime() -> Finding {
    guard let warning = RealtimeRight.current.check() else { return .good("real-time scheduling: granted") }
    return .advice("real-time scheduling: refused", warning)
  }

  private func sound() -> Finding {
    let cards = ALSADevices.cards
    do {
      _ = try ALSAPlayer(device: "default")
      return .good(
        "loudspeakers: the default ALSA device plays" + (cards.isEmpty ? "" : " (\(cards.joined(separator: ", ")))"))
    } catch {
      guard cards.isEmpty else {
        return .advice(
          "loudspeakers: \(error)", "name one with --alsa DEVICE: \(ALSADevices.playback.joined(separator: ", "))")
      }
      return .good("loudspeakers: this machine has no sound card; it serves without one")
    }
  }

  private func midi() -> Finding {
    MIDIInput.isThere
      ? .good("MIDI: the ALSA sequencer is there; connect a clock to \(MIDIInput.clientName):\(MIDIInput.portName)")
      : .good("MIDI: this machine has no ALSA sequencer; a clock comes over OSC, to /midi")
  }

  private func kitFindings() -> [Finding] {
    guard !kitFolders.isEmpty else {
      return [.bad("kits: no folder of kits was found", "name one with --kits DIR, or set BANDSHELL_KITS")]
    }
    let catalogue = KitCatalogue(scanning: kitFolders)
    var findings = catalogue.problems.map {
      $0.isMissingPack
        ? Finding.advice("kit: \($0)", "`bandshell kits packs` shows what can be had")
        : Finding.bad("kit: \($0)", "`bandshell kits check` tells everything that is wrong with it")
    }
    let loader = KitLoader(catalogue: catalogue)
    for kit in catalogue.kits {
      do throws(KitError) {
        _ = try loader.load(kit.id)
        findings.append(.good("kit: \(kit.name) (\(kit.id)), \(kit.pads.count { $0 != nil }) pads"))
      } catch {
        findings.append(.bad("kit: \(error)", "`bandshell kits check` tells everything that is wrong with it"))
      }
    }
    if findings.isEmpty {
      findings.append(
        .bad("kits: there is none in \(kitFolders.joined(separator: ", "))", "name a folder with --kits DIR"))
    }
    return findings
  }
}
