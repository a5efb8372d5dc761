import NIOCore
import NIOHTTP1

/// One file of the page, held in memory: there is no path from an address to the disk.
struct Asset: Sendable {
  let path: String
  let contentType: String
  let bytes: ByteBuffer
  /// Changes with the bytes.
  let tag: String

  init(path: String, contentType: String, bytes: [UInt8]) {
    self.path = path
    self.contentType = contentType
    self.bytes = ByteBuffer(bytes: bytes)
    // FNV-1a, 64 bits.
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    tag = "\"\(String(hash, radix: 16))\""
  }

  /// Every file of the folder `Page`, and the two that the server writes, `ranges.js` and `effect-facts.js`; a test compares them.
  static let all = [
    Asset(path: "/", contentType: "text/html; charset=utf-8", bytes: PackageResources.index_html),
    Asset(path: "/page.css", contentType: "text/css; charset=utf-8", bytes: PackageResources.page_css),
    Asset(path: "/effects.css", contentType: "text/css; charset=utf-8", bytes: PackageResources.effects_css),
    Asset(path: "/icon.svg", contentType: "image/svg+xml", bytes: PackageResources.icon_svg),
    script("back", PackageResources.back_js),
    script("beat", PackageResources.beat_js),
    script("beat-panel", PackageResources.beat_panel_js),
    script("block-carry", PackageResources.block_carry_js),
    script("block-gesture", PackageResources.block_gesture_js),
    script("block-list", PackageResources.block_list_js),
    script("bring", PackageResources.bring_js),
    script("buildup", PackageResources.buildup_js),
    script("chosen", PackageResources.chosen_js),
    script("clock", PackageResources.clock_js),
    script("colour", PackageResources.colour_js),
    script("connection", PackageResources.connection_js),
    script("controls", PackageResources.controls_js),
    script("countdown", PackageResources.countdown_js),
    script("dialler", PackageResources.dialler_js),
    script("dom", PackageResources.dom_js),
    script("ear", PackageResources.ear_js),
    script("effect-facts", Array(PageEffects.script.utf8)),
    script("effect-groups", PackageResources.effect_groups_js),
    script("effects", PackageResources.effects_js),
    script("endless-stream", PackageResources.endless_stream_js),
    script("finder", PackageResources.finder_js),
    script("frame", PackageResources.frame_js),
    script("hearing", PackageResources.hearing_js),
    script("help", PackageResources.help_js),
    script("join-address", PackageResources.join_address_js),
    script("key", PackageResources.key_js),
    script("keyboard", PackageResources.keyboard_js),
    script("keys", PackageResources.keys_js),
    script("keys-panel", PackageResources.keys_panel_js),
    script("kit-key", PackageResources.kit_key_js),
    script("kits", PackageResources.kits_js),
    script("lane-board", PackageResources.lane_board_js),
    script("lane-drag", PackageResources.lane_drag_js),
    script("lane-focus", PackageResources.lane_focus_js),
    script("lane-keys", PackageResources.lane_keys_js),
    script("lane-view", PackageResources.lane_view_js),
    script("lanes", PackageResources.lanes_js),
    script("latency", PackageResources.latency_js),
    script("listen", PackageResources.listen_js),
    script("listen-view", PackageResources.listen_view_js),
    script("listener", PackageResources.listener_js),
    script("loops", PackageResources.loops_js),
    script("loudspeaker", PackageResources.loudspeaker_js),
    script("memory", PackageResources.memory_js),
    script("midi", PackageResources.midi_js),
    script("mixer", PackageResources.mixer_js),
    script("notes", PackageResources.notes_js),
    script("osc", PackageResources.osc_js),
    script("pads", PackageResources.pads_js),
    script("page", PackageResources.page_js),
    script("panel", PackageResources.panel_js),
    script("people", PackageResources.people_js),
    script("people-panel", PackageResources.people_panel_js),
    script("project", PackageResources.project_js),
    script("qr", PackageResources.qr_js),
    script("ranges", Array(PageRanges.script.utf8)),
    script("record", PackageResources.record_js),
    script("room", PackageResources.room_js),
    script("settings", PackageResources.settings_js),
    script("silence", PackageResources.silence_js),
    script("state", PackageResources.state_js),
    script("steps", PackageResources.steps_js),
    script("strip", PackageResources.strip_js),
    script("strips", PackageResources.strips_js),
    script("takes", PackageResources.takes_js), script("export-files", PackageResources.export_files_js),
    script("theme", PackageResources.theme_js),
    script("wall", PackageResources.wall_js),
    script("wav", PackageResources.wav_js),
    script("wave", PackageResources.wave_js),
    script("whep-line", PackageResources.whep_line_js),
    script("wishes", PackageResources.wishes_js),
    script("words", PackageResources.words_js),
  ]

  private static func script(_ name: String, _ bytes: [UInt8]) -> Asset {
    Asset(path: "/\(name).js", contentType: "text/javascript; charset=utf-8", bytes: bytes)
  }

  /// A browser asks each time, so that a new server's page is never mixed with an old one's, and mostly gets 304.
  func response(to request: HTTPRequest) -> Response {
    let headers = [("ETag", tag), ("Cache-Control", "no-cache")].map { (name: $0.0, value: $0.1) }
    if request.head.headers.first(name: "If-None-Match") == tag { return Response(.notModified, headers: headers) }
    return Response(headers: [("Content-Type", contentType)] + headers, body: .bytes(bytes))
  }
}
