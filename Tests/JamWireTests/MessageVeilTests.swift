import JamCore
import Testing

@testable import JamWire

/// Messages as those see them who watch what others send.
@Suite struct MessageVeilTests {
  private let table = AddressTable.standard
  private let secret = "s3cret-w0rd"

  @Test("passwords, tokens, host words, cookies and what is said are secret in every row") func rows() {
    let names = ["password", "token", "cookie", "word"]
    for entry in table.entries {
      for argument in entry.arguments where names.contains(argument.name) {
        #expect(argument.isSecret, "\(entry.template) \(argument.name)")
      }
    }
    let secret = Set(table.entries.filter { $0.arguments.contains(where: \.isSecret) }.map(\.template))
    #expect(secret == ["/hello", "/password", "/host", "/cookie", "/chat", "/welcome"])
  }

  @Test("no argument of such a row is shown, whatever its place and type") func hidden() throws {
    for entry in table.entries where entry.access != .sent && entry.arguments.contains(where: \.isSecret) {
      for count in 1...6 {
        for argument in [OSCArgument.string(secret), .symbol(secret), .int32(4_711), .int64(4_711), .float(4_711)] {
          let message = OSCMessage(entry.template, Array(repeating: argument, count: count))
          var shown = [MessageVeil.arguments(of: message)]
          var reader = CommandReader()
          do {
            if let read = try reader.read(message) { shown.append(MessageVeil.reading(read.request, of: message)) }
          } catch {
            shown.append(MessageVeil.reason(error) { _ in nil })
          }
          for text in shown {
            #expect(!text.contains(secret) && !text.contains("4711") && !text.contains("4,711"), "\(message): \(text)")
          }
          #expect(shown[0] == Array(repeating: MessageVeil.veil, count: count).joined(separator: " "))
        }
      }
    }
  }

  @Test(
    "a message that no row takes may be a misspelt one: its texts are hidden",
    arguments: ["/helo", "/pasword", "/room/dub/hello", "/n/password", "/room/dub/password", "/pad/99"])
  func unknown(_ address: String) {
    let message = OSCMessage(address, .string("ann"), .string(secret), .int32(4_711), .float(0.5))
    let shown = MessageVeil.arguments(of: message)
    #expect(!shown.contains(secret) && !shown.contains("ann") && !shown.contains("4711"))
    var reader = CommandReader()
    #expect(throws: WireError.self) { try reader.read(message) }
  }

  @Test(
    "what stands behind such a name in an address is hidden, in errors too",
    arguments: ["/host/s3cret-w0rd", "/password/s3cret-w0rd", "/room/dub/Host/s3cret-w0rd", "/hello/ann/s3cret-w0rd"])
  func inAddress(_ address: String) throws {
    #expect(!MessageVeil.address(address).contains(secret))
    var reader = CommandReader()
    do {
      _ = try reader.read(OSCMessage(address))
      Issue.record("\(address) was read")
    } catch {
      #expect(!MessageVeil.reason(error) { _ in nil }.contains(secret))
    }
    #expect(!MessageVeil.arguments(of: OSCMessage("/sync", .string(address))).contains(secret))
  }

  @Test("what was understood has its address, its values and their units") func readings() throws {
    func reading(_ address: String, _ arguments: OSCArgument...) throws -> String {
      let message = OSCMessage(address, arguments)
      var reader = CommandReader()
      return MessageVeil.reading(try #require(try reader.read(message)).request, of: message)
    }
    #expect(try reading("/pad/3", .float(0.8)) == "/pad/3: velocity 0.8")
    #expect(try reading("/pad/3", .int32(100)) == "/pad/3: velocity 100")
    #expect(try reading("/pad/3/gain", .int32(-6)) == "/pad/3/gain: −6 dB")
    #expect(try reading("/n/pad/3/gain", .float(1)).hasPrefix("/pad/3/gain: "))
    #expect(try reading("/kit/dub") == "/kit: \"dub\"")
    #expect(try reading("/pad/*/gain", .float(-6)) == "/pad/*/gain: -6.0 × 16")
    #expect(try reading("/chat", .string(secret)) == "/chat: \(MessageVeil.veil)")
    #expect(try reading("/subscribe", .int32(9_000)) == "/subscribe: port 9000")
  }

  @Test("arguments are shown with their types, and are short") func arguments() {
    let message = OSCMessage("/kit", .string("du\u{1b}[31mb\u{202e}"))
    #expect(MessageVeil.arguments(of: message) == "\"du\u{FFFD}[31mb\u{FFFD}\"")
    #expect(MessageVeil.arguments(of: OSCMessage("/pad/1", .float(1), .int32(1), .true)) == "1.0 1 T")
    let long = OSCMessage("/nowhere", Array(repeating: .float(0.125), count: 2_000))
    #expect(MessageVeil.arguments(of: long).hasSuffix("… +1984"))
    #expect(MessageVeil.arguments(of: OSCMessage("/kit", .string(String(repeating: "x", count: 1_000)))).count < 50)
    #expect(MessageVeil.address("/" + String(repeating: "x", count: 70_000)).utf8.count == MessageVeil.mostAddressBytes)
  }

  @Test("a message names its room in the address, or in /hello") func rooms() {
    #expect(table.room(namedBy: OSCMessage("/room/dub/pad/1"))?.text == "dub")
    #expect(table.room(namedBy: OSCMessage("/n/room/dub/pad/1/gain"))?.text == "dub")
    #expect(table.room(namedBy: OSCMessage("/room/dub/pad/*/gain"))?.text == "dub")
    #expect(table.room(namedBy: OSCMessage("/hello", .string("ann"), .string("dub")))?.text == "dub")
    #expect(table.room(namedBy: OSCMessage("/hello", .string("ann"))) == nil)
    #expect(table.room(namedBy: OSCMessage("/pad/1")) == nil)
    #expect(table.room(namedBy: OSCMessage("/room/panic")) == nil)
    #expect(table.room(namedBy: OSCMessage("/room/undo/steps")) == nil)
  }
}
