import Testing

@testable import JamBench

@Suite("bench report")
struct BenchReportTests {
  private var report: BenchReport {
    var report = BenchReport(name: "osc", machine: "a \"test\"")
    report.rows = [
      BenchRow("hits", unit: "1/s", values: [120, 90, 100, 110], target: .atLeast(100)),
      BenchRow("one hit", unit: "µs", values: [.nan], target: .atMost(5)),
      BenchRow("memory", unit: "MiB", values: [1.234_5]),
    ]
    return report
  }

  @Test("a row has the median, the spread, and whether its target is met")
  func rows() {
    let rows = report.rows
    #expect(rows.map(\.isMet) == [true, false, nil])
    #expect(rows[0].median == 105 && rows[0].minimum == 90 && rows[0].maximum == 120)
    #expect(!report.meetsTargets)
  }

  @Test("people read aligned columns, programs one JSON object")
  func forms() {
    #expect(
      report.table == """
        osc on a "test"
                 median   min   max  unit  target
        hits        105  90.0   120  1/s   ≥ 100   ok
        one hit       –     –     –  µs    ≤ 5.0   MISSED
        memory     1.23  1.23  1.23  MiB
        """)
    #expect(
      report.json == """
        {"bench":"osc","machine":"a \\"test\\"","rows":[\
        {"key":"hits","name":"hits","unit":"1/s","median":105.0,"min":90.0,"max":120.0,"target":{"atLeast":100.0},"met":true},\
        {"key":"one hit","name":"one hit","unit":"µs","median":null,"min":null,"max":null,"target":{"atMost":5.0},"met":false},\
        {"key":"memory","name":"memory","unit":"MiB","median":1.2345,"min":1.2345,"max":1.2345}],"notes":[]}
        """)
  }
}
