import Testing
@testable import JamStore
@Test func placeholder() {}
