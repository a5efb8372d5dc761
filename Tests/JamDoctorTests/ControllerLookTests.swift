import JamNet
import Testing

@testable import JamDoctor

@Suite struct ControllerLookTests {
  @Test("each controller is told with its address, and what to type") func controllers() {
    let findings = ControllerLook.findings(of: [
      FoundController(name: "Ann's iPad", addresses: [.ipv4(192, 0, 2, 7, port: 9_000)])
    ])
    #expect(findings.map(\.verdict) == [.good])
    #expect(findings.first?.lines.contains("Ann's iPad (192.0.2.7:9000)") == true)
    #expect(findings.first?.lines.contains("/controller/lights \"Ann's iPad\"") == true)
  }

  @Test("no controller is no fault") func none() {
    #expect(ControllerLook.findings(of: []).map(\.verdict) == [.good])
  }
}
