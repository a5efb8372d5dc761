import Testing

@testable import JamWeb

@Suite struct MetricsTests {
  private func text(_ metrics: [Metric]) -> String { MetricsText.text(metrics) }

  @Test("a metric is its help, its type and one line per reading")
  func format() {
    var drops = Metric(.counter, "drops_total", help: "What full queues dropped.")
    drops.add(3, .init("queue", "engine"))
    drops.add(0, .init("queue", "rtp"), .init("room", "main"))
    let load = Metric(.gauge, "render_load_ratio", help: "Share of real time.", value: 0.125)
    #expect(
      text([drops, load]) == """
        # HELP bandshell_drops_total What full queues dropped.
        # TYPE bandshell_drops_total counter
        bandshell_drops_total{queue="engine"} 3
        bandshell_drops_total{queue="rtp",room="main"} 0
        # HELP bandshell_render_load_ratio Share of real time.
        # TYPE bandshell_render_load_ratio gauge
        bandshell_render_load_ratio 0.125

        """)
  }

  @Test("backslashes, quotes and line feeds in labels and help are escaped")
  func escaping() {
    var metric = Metric(.gauge, "players", help: "a \"b\" \\ c\nd")
    metric.add(1, .init("room", "a\"b\\c\nd{e}ü"))
    #expect(
      text([metric]) == #"""
        # HELP bandshell_players a "b" \\ c\nd
        # TYPE bandshell_players gauge
        bandshell_players{room="a\"b\\c\nd{e}ü"} 1

        """#)
  }

  @Test("NaN, infinities and large numbers are written as Prometheus reads them")
  func numbers() {
    var metric = Metric(.gauge, "x", help: "x")
    for value in [Double.nan, .infinity, -.infinity, 1e300, 9_007_199_254_740_992, -2.5] { metric.add(value) }
    let lines = text([metric]).split(separator: "\n").dropFirst(2).map { $0.split(separator: " ")[1] }
    #expect(lines == ["NaN", "+Inf", "-Inf", "1e+300", "9007199254740992", "-2.5"])
  }

  @Test("a metric without readings says nothing")
  func empty() { #expect(text([Metric(.gauge, "x", help: "x")]).isEmpty) }

  @Test("/metrics carries the backend's figures and the server's own")
  func endpoint() async throws {
    let backend = try TestBackend(figures: [Metric(.gauge, "voices", help: "Sounding voices.", value: 7)])
    try await serving(backend) { port in
      let client = try RawClient(port: port)
      _ = try client.ask("GET", "/nothing")
      let answer = try client.ask("GET", "/metrics")
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
      #expect(answer.text.contains("\nbandshell_voices 7\n"))
      #expect(answer.text.contains("\nbandshell_http_connections 1\n"))
      #expect(answer.text.contains("\nbandshell_http_responses_total{status=\"4xx\"} 1\n"))
    }
  }
}
