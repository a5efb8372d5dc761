import JamCore
import Testing

/// The topics of subscriptions.
@Suite struct TopicsTests {
  @Test("every topic has a bit of its own") func bits() {
    let topics = Topics.words.map(\.topic) + [.lights]
    for (index, topic) in topics.enumerated() {
      #expect(topic.rawValue.nonzeroBitCount == 1)
      for other in topics[..<index] { #expect(topic.isDisjoint(with: other)) }
    }
  }

  @Test("nobody can ask for the lights alone, nor gets the monitor without a word") func unasked() {
    #expect(Topics.all.isDisjoint(with: .lights))
    #expect(Topics.standard.isDisjoint(with: [.lights, .monitor]))
    #expect(Topics.words.reduce(into: []) { $0.formUnion($1.topic) } == Topics.all)
  }
}
