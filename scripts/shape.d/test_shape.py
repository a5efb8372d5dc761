"""Tests of scripts/shape."""

import pathlib
import unittest

import calls
import figures
import lexing
import main
import swift


def source(text):
    return swift.Source(pathlib.Path("Sources/JamRoom/A.swift"), text)


def stored(text):
    return [each.name for type in source(text).types for each in type.stored]


class Lexing(unittest.TestCase):
    def test_comments_and_the_words_of_strings_are_no_code(self):
        text = 'a // b "c"\nd /* e /* f */ g */ h "i // j" k #"l"m"# n'
        self.assertEqual(lexing.code(text).split(), ["a", "d", "h", '"', '"', "k", '"', '"', "n"])
        self.assertEqual(len(lexing.code(text)), len(text))

    def test_code_within_a_string_is_code(self):
        self.assertEqual(lexing.code(r'"a \(b("c\"d", e)) f" + g'), r'"   (b("    ", e))  " + g')
        self.assertEqual(lexing.code('"""\n  a "b" \\(c)\n  """ + d').split(), ['"""', "(c)", '"""', "+", "d"])

    def test_commas_within_brackets_part_nothing(self):
        self.assertEqual(lexing.parts("a, b(c, d), [e, f], { g, h }"), ["a", " b(c, d)", " [e, f]", " { g, h }"])


class Properties(unittest.TestCase):
    def test_stored_ones_are_told_from_computed_ones(self):
        text = """
            struct A {
              let a: Int, b = 2
              public private(set) var c: [Int: [String]] = [:] { didSet { d() } }
              var e: Int { 1 }
              var f: Bool { get { true } set { g() } }
              static let h = 1
              @exclusivity(unchecked) private var i = [B?](repeating: nil, count: 2)
              lazy var j = { (x: Int) in x }
              var k: Result<Int, Never>?
              var (l, m) = (1, 2)
              var n =
                1
                + 2
              private static let o: A = {
                var p = 1
                return p
              }()
              func q() { let r = 1 }
              var s: Int { willSet { t() } }
            }"""
        self.assertEqual(stored(text), ["a", "b", "c", "i", "j", "k", "l", "m", "n", "s"])

    def test_each_type_has_its_own(self):
        text = "actor A { let a = 1\n enum B { case c\n static let d = 1 }\n struct E { var f: Int } }\nlet g = 1"
        types = {each.name: [property.name for property in each.stored] for each in source(text).types}
        self.assertEqual(types, {"A": ["a"], "A.B": [], "A.E": ["f"]})

    def test_a_protocol_and_class_members_store_nothing(self):
        self.assertEqual(stored("protocol A { var a: Int { get }\n func b() }"), [])
        self.assertEqual(stored("class A { class var a: Int { 1 }\n class func b() {} \n var c = 1 }"), ["c"])


class Functions(unittest.TestCase):
    def test_a_function_has_its_labels_modifiers_and_lines(self):
        text = """extension A {
            private mutating func a<T>(
              _ b: (Int, Int), c d: T = 1
            ) throws(E) -> [T] {
              { f() }()
            }
            static func < (a: A, b: A) -> Bool { true }
            init?(a: Int) {}
          }
          func g() {}"""
        file = source(text)
        found = file.types[0].functions
        self.assertEqual([each.title for each in found], ["a(_:c:)", "<(a:b:)", "init(a:)"])
        self.assertEqual((found[0].modifiers, found[0].lines), ({"private", "mutating"}, 5))
        self.assertEqual([each.title for each in file.functions], ["g()"])


class Ways(unittest.TestCase):
    FILES = {
        "A": "extension RoomState { func begin(at a: Int) { let b = roster[a]\n b.lanes[0].go()\n if !quiet {} } }",
        "B": "struct RoomState { var roster = Roster()\n var quiet: Bool { Self.hush() } }",
        "C": "struct Roster { subscript(a: Int) -> Player { only(a) } }\nfunc only(_ a: Int) {}",
        "D": "struct Player { var lanes: [Lane] }\nstruct Lane { func go() {} }",
        "E": "extension RoomState { static func hush() {}\n func begin(by a: Int) {} }",
        "F": "struct Other { func go() {}\n func begin(at a: Int) {} }",
    }

    def test_types_are_followed(self):
        graph = calls.Calls([swift.Source(pathlib.Path(name), text) for name, text in self.FILES.items()])
        reached = graph.reached("RoomState", "begin(at:)")
        self.assertEqual({(str(each.file), each.name) for each in reached}, {
            ("A", "begin"), ("B", "quiet"), ("C", "subscript"), ("C", "only"), ("D", "go"), ("E", "hush")})
        self.assertEqual(graph.reached("RoomState", "ends()"), [])

    def test_an_argument_may_be_left_out_or_stand_behind(self):
        wanted = [("", False), ("at", True), ("body", False)]
        self.assertTrue(calls.fits(["", "at"], wanted, True))
        self.assertTrue(calls.fits(["", "body"], wanted, False))
        self.assertFalse(calls.fits(["", "by"], wanted, True))


class Figures(unittest.TestCase):
    TEXTS = {
        "Sources/JamRoom/RoomState.swift":
            "struct RoomState { var a = 1 }",
        "Sources/JamRoom/RoomState+A.swift":
            "extension RoomState {\n"
            "  // roster[id]\n"
            "  mutating func play(_ a: Pad, _ b: Int, _ o: Own, by c: ID, at d: M) {\n"
            "    roster[c].x = roster[c].y\n"
            "    try? set(.swing, to: z, &effects) }\n"
            "  func setTempo(_ a: T, by b: ID, at c: M, run: Int? = nil, joins: Bool = true) {}\n"
            "  func tell(_ a: A, _ effects: inout [Effect]) {}\n"
            "  var next: Int { mutating get { 1 } }\n"
            "}\n",
        "Sources/JamCore/Setting.swift":
            "enum Setting {\n  case gain, swing\n}\nlet a = clock.swing, b = \\A.swing, c = [.swing]\n",
    }

    def figures(self):
        shape = figures.Shape({pathlib.Path(path): text for path, text in self.TEXTS.items()})
        return {figure.name: figure for figure in shape.figures()}

    def test_they_count_code(self):
        values = {name: figure.value for name, figure in self.figures().items()}
        for name, value in {
                "stored properties of RoomState": 1, "stored properties of Player": 0, "files that extend RoomState": 1,
                "lines of these files": 9, "functions that may change all of RoomState": 2, "roster[": 2,
                "parameters _ effects: inout [Effect]": 1, "arguments &effects": 1, "try? set in Sources": 1,
                "lines of RoomState.set(_ setting:": 0, "lines of the longest function": 3, "lines of JamRoom": 9,
                "files that name Setting.swing": 2, "files that a hit may visit": 1}.items():
            self.assertEqual(values[name], value, name)

    def test_a_place_has_a_file_and_a_line(self):
        self.assertEqual([str(place) for place in self.figures()["roster["].places],
                         ["Sources/JamRoom/RoomState+A.swift:4: 2 here"])

    def test_a_figure_may_fall_and_not_rise(self):
        places = [figures.Place("a", 1, 1), figures.Place("b", 2, 3, "lines")]
        found = [figures.Figure(name, 4, places) for name in ("risen", "fallen", "same", "new")]
        worse, better = main.differences(found, {"risen": 3, "fallen": 5, "same": 4, "gone": 1})
        self.assertEqual(worse, [
            "risen: 4, 3 are allowed; the worst places:", "    b:2: 3 lines", "    a:1: 1",
            "new: 4, and there is no bound"])
        self.assertEqual(better, ["fallen: 4, 5 are allowed", "gone: no figure has that name"])


if __name__ == "__main__":
    unittest.main()
