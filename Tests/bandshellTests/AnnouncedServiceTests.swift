import JamBonjour
import JamCore
import JamNet
import JamServer
import JamWeb
import Testing

@testable import bandshell

@Suite("The services that a server announces") struct AnnouncedServiceTests {
  func announcement(osc: Listening, http: Listening) -> BonjourAnnouncement {
    Server.announcement(options(osc: osc, http: http), osc: 8_001, http: 8_002)
  }

  func options(osc: Listening, http: Listening) -> ServerOptions {
    var options = ServerOptions(
      osc: osc, http: http, media: Listening(host: nil, port: 0), kitFolders: [],
      rooms: ServerOptions.rooms(["secret"]), opensRooms: false, hostWord: "word", isHostWordGiven: true,
      proxies: .none, tempo: .standard)
    options.mdns = .auto
    return options
  }

  @Test("OSC, OSCQuery and the page, with the ports that were bound, and the first room alone") func services() {
    let all = announcement(osc: Listening(host: nil, port: 0), http: Listening(host: nil, port: 0))
    #expect(all.name.hasPrefix("Bandshell on "))
    #expect(all.services.map(\.type) == ["_osc._udp", "_osc._tcp", "_oscjson._tcp", "_http._tcp"])
    #expect(all.services.map(\.port) == [8_001, 8_001, 8_001, 8_002])
    for service in all.services {
      #expect(service.place == nil)
      #expect(service.text == DNSText(["txtvers": "1", "room": "main", "path": "/"]))
    }
  }

  @Test("a server has one name; one that announces nothing keeps the machine's name to itself") func name() {
    let everywhere = Listening(host: nil, port: 0)
    var options = options(osc: everywhere, http: everywhere)
    #expect(Server.name(options, machine: "studio.example") == "Bandshell on studio")
    #expect(Server.name(options) == announcement(osc: everywhere, http: everywhere).name)
    options.mdns = .off
    #expect(Server.name(options, machine: "studio.example") == "Bandshell")
  }

  @Test("a service is announced where it listens; a name of a host says nothing about its network") func places() {
    let apart = announcement(osc: Listening(host: "192.168.1.5", port: 0), http: Listening(host: "stage", port: 0))
    #expect(apart.services.map(\.type) == ["_osc._udp", "_osc._tcp", "_oscjson._tcp"])
    #expect(apart.services.allSatisfy { $0.place == .ipv4(192, 168, 1, 5) })
  }

  @Test("--mdns takes four words, and is auto without one") func words() throws {
    #expect(try ServeCommand.parse([]).mdns == .auto)
    for way in BonjourWay.allCases { #expect(try ServeCommand.parse(["--mdns", way.rawValue]).mdns == way) }
    let error = try #require(throws: (any Error).self) { _ = try ServeCommand.parse(["--mdns", "loud"]) }
    #expect(ServeCommand.message(for: error).contains("off"))
  }
}
