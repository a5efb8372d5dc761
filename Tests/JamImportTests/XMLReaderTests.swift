import Testing

@testable import JamImport
@testable import JamKit

@Suite("XML")
struct XMLReaderTests {
  private func read(_ text: String) throws(KitError) -> XMLElement { try XMLReader.read(Array(text.utf8), of: "a.xml") }

  @Test("elements, text, entities, comments and CDATA")
  func plain() throws {
    let root = try read(
      """
      <?xml version="1.0"?><!-- <no> --><a x="1 > 0"><b> one &lt;&#x41;&#66;&amp;&unknown; </b><c/><c>2,5</c><d><![CDATA[<x>&amp;]]></d></a>
      """)
    #expect(root.name == "a" && root.children.map(\.name) == ["b", "c", "c", "d"])
    #expect(root.text("b") == "one <AB&&unknown;" && root.text("c") == nil && root.text("d") == "<x>&amp;")
    #expect(root.children[2].text == "2,5")
    #expect(try read("<a><n>2,5</n></a>").number("n") == 2.5)
  }

  @Test("bytes that are no UTF-8 are Latin-1")
  func latin() throws {
    #expect(try XMLReader.read([60, 97, 62, 0xe9, 60, 47, 97, 62], of: "a.xml").text == "é")
  }

  @Test(
    "what is wrong is told with its line",
    arguments: [
      ("", "line 1: there is no element in it"), ("<a>", "line 1: <a> is not closed"),
      ("<a>\n</b>", "line 2: </b> closes nothing"), ("<a", "line 1: a tag is not closed"),
      ("<!DOCTYPE a [<!ENTITY b \"c\">]><a/>", "line 1: a document type has no place here"),
      ("<a><!-- </a>", "line 1: --> is missing"), ("<>", "line 1: a tag has no name"),
      (String(repeating: "<a>", count: 100), "line 1: it is too large or too deep"),
    ])
  func wrong(text: String, cause: String) {
    #expect(throws: KitError("a.xml", .notXML(cause: cause))) { try read(text) }
  }
}
