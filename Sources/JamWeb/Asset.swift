import NIOCore
import NIOHTTP1

/// One file of the page, held in memory: there is no path from an address to the disk.
struct Asset: Sendable {
  let path: String
  let contentType: String
  let bytes: ByteBuffer
  /// The bytes as nearly every browser gets them.
  let packed: GzipBytes
  /// Changes with the bytes.
  let tag: String

  init(path: String, contentType: String, bytes: [UInt8]) {
    self.path = path
    self.contentType = contentType
    self.bytes = ByteBuffer(bytes: bytes)
    packed = GzipBytes(of: self.bytes)
    tag = Asset.tag(of: bytes)
  }

  /// By FNV-1a, 64 bits.
  static func tag(of bytes: [UInt8]) -> String {
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "\"\(String(hash, radix: 16))\""
  }

  /// Every file of the folder `Page`, and the two that the server writes, `ranges.js` and `effect-facts.js`; a test compares them.
  static let all = [
    Asset(path: "/", contentType: "text/html; charset=utf-8", bytes: PackageResources.index_html),
    Asset(path: "/page.css", contentType: "text/css; charset=utf-8", bytes: PackageResources.page_css),
    Asset(path: "/effects.css", contentType: "text/css; charset=utf-8", bytes: PackageResources.effects_css),
    style("keys", PackageResources.keys_css), style("panels", PackageResources.panels_css),
    style("play", PackageResources.play_css), style("take", PackageResources.take_css),
    style("wall", PackageResources.wall_css),
    Asset(path: "/icon.svg", contentType: "image/svg+xml", bytes: PackageResources.icon_svg),
    picture("icon-192", PackageResources.icon_192_png), picture("icon-512", PackageResources.icon_512_png),
    picture("icon-maskable", PackageResources.icon_maskable_png),
    picture("icon-touch", PackageResources.icon_touch_png),
    Asset(
      path: "/manifest.webmanifest", contentType: "application/manifest+json",
      bytes: PackageResources.manifest_webmanifest),
    script("back", PackageResources.back_js),
    script("beat", PackageResources.beat_js),
    script("beat-line", PackageResources.beat_line_js),
    script("beat-panel", PackageResources.beat_panel_js),
    script("block-carry", PackageResources.block_carry_js),
    script("block-gesture", PackageResources.block_gesture_js),
    script("block-list", PackageResources.block_list_js),
    script("bring", PackageResources.bring_js),
    script("build-wish", PackageResources.build_wish_js),
    script("buildup", PackageResources.buildup_js),
    script("chosen", PackageResources.chosen_js),
    script("clock", PackageResources.clock_js), script("copy", PackageResources.copy_js),
    script("colour", PackageResources.colour_js),
    script("connection", PackageResources.connection_js),
    script("controls", PackageResources.controls_js),
    script("countdown", PackageResources.countdown_js),
    script("dialler", PackageResources.dialler_js),
    script("dom", PackageResources.dom_js),
    script("drop-count", PackageResources.drop_count_js),
    script("drop-screen", PackageResources.drop_screen_js),
    script("ear", PackageResources.ear_js),
    script("effect-facts", Array(PageEffects.script.utf8)),
    script("effect-groups", PackageResources.effect_groups_js),
    script("effects", PackageResources.effects_js),
    script("endless-stream", PackageResources.endless_stream_js),
    script("finder", PackageResources.finder_js),
    script("frame", PackageResources.frame_js),
    script("hearing", PackageResources.hearing_js),
    script("help", PackageResources.help_js),
    script("hints", PackageResources.hints_js),
    script("history-panel", PackageResources.history_panel_js),
    script("history-steps", PackageResources.history_steps_js),
    script("hold", PackageResources.hold_js),
    script("interval-offer", PackageResources.interval_offer_js),
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
    script("language", PackageResources.language_js), script("translate", PackageResources.translate_js),
    script("language-da", PackageResources.language_da_js), script("language-de", PackageResources.language_de_js),
    script("language-es", PackageResources.language_es_js), script("language-ja", PackageResources.language_ja_js),
    script("latency", PackageResources.latency_js),
    script("listen", PackageResources.listen_js),
    script("listen-view", PackageResources.listen_view_js),
    script("listener", PackageResources.listener_js),
    script("loops", PackageResources.loops_js),
    script("loudspeaker", PackageResources.loudspeaker_js),
    script("macros", PackageResources.macros_js),
    script("memory", PackageResources.memory_js),
    script("midi", PackageResources.midi_js), script("midi-channels", PackageResources.midi_channels_js),
    script("midi-target", PackageResources.midi_target_js),
    script("loop-editor", PackageResources.loop_editor_js),
    script("loop-notes", PackageResources.loop_notes_js),
    script("loop-strip", PackageResources.loop_strip_js),
    script("mixer", PackageResources.mixer_js),
    script("mute-groups", PackageResources.mute_groups_js),
    script("note-grid", PackageResources.note_grid_js),
    script("notes", PackageResources.notes_js),
    script("osc", PackageResources.osc_js),
    script("pad-picture", PackageResources.pad_picture_js),
    script("pads", PackageResources.pads_js),
    script("page", PackageResources.page_js),
    script("palette", PackageResources.palette_js),
    script("panel", PackageResources.panel_js),
    script("people", PackageResources.people_js),
    script("people-panel", PackageResources.people_panel_js),
    script("perform", PackageResources.perform_js),
    script("plain-refusals", PackageResources.plain_refusals_js),
    script("play-row", PackageResources.play_row_js),
    script("preview", PackageResources.preview_js),
    script("progression", PackageResources.progression_js),
    script("project", PackageResources.project_js),
    script("qr", PackageResources.qr_js),
    script("ranges", Array(PageRanges.script.utf8)),
    script("record", PackageResources.record_js),
    script("room", PackageResources.room_js),
    script("scene-words", PackageResources.scene_words_js),
    script("scenes", PackageResources.scenes_js),
    script("scenes-panel", PackageResources.scenes_panel_js),
    script("settings", PackageResources.settings_js),
    script("silence", PackageResources.silence_js),
    script("state", PackageResources.state_js),
    script("steps", PackageResources.steps_js),
    script("strip", PackageResources.strip_js),
    script("strips", PackageResources.strips_js),
    // The page of one take, as it is without the take.
    Asset(path: "/take.html", contentType: "text/html; charset=utf-8", bytes: PackageResources.take_html),
    script("take", PackageResources.take_js), script("take-file", PackageResources.take_file_js),
    script("take-wave", PackageResources.take_wave_js), script("take-words", PackageResources.take_words_js),
    script("takes", PackageResources.takes_js), script("export-files", PackageResources.export_files_js),
    script("theme", PackageResources.theme_js),
    script("tick", PackageResources.tick_js),
    Asset(path: "/trust.html", contentType: "text/html; charset=utf-8", bytes: PackageResources.trust_html),
    script("trust", PackageResources.trust_js),
    script("wall", PackageResources.wall_js),
    script("wav", PackageResources.wav_js),
    script("wave", PackageResources.wave_js),
    script("whep-line", PackageResources.whep_line_js),
    script("wishes", PackageResources.wishes_js),
    script("words", PackageResources.words_js),
  ]

  private static func style(_ name: String, _ bytes: [UInt8]) -> Asset {
    Asset(path: "/\(name).css", contentType: "text/css; charset=utf-8", bytes: bytes)
  }

  private static func picture(_ name: String, _ bytes: [UInt8]) -> Asset {
    Asset(path: "/\(name).png", contentType: "image/png", bytes: bytes)
  }

  private static func script(_ name: String, _ bytes: [UInt8]) -> Asset {
    Asset(path: "/\(name).js", contentType: "text/javascript; charset=utf-8", bytes: bytes)
  }

  /// A browser asks each time, so that a new server's page is never mixed with an old one's, and mostly gets 304.
  func response(to request: HTTPRequest) -> Response {
    let isPacked = GzipBytes.isTaken(by: request.head.headers)
    // The two forms of a file have tags of their own (RFC 9110 8.8.3).
    let tag = isPacked ? "\(self.tag.dropLast())-gzip\"" : self.tag
    let headers = [("ETag", tag), ("Cache-Control", "no-cache"), ("Vary", "Accept-Encoding")]
      .map { (name: $0.0, value: $0.1) }
    if request.head.headers.first(name: "If-None-Match") == tag { return Response(.notModified, headers: headers) }
    let type = [(name: "Content-Type", value: contentType)]
    guard isPacked, let short = packed.bytes else { return Response(headers: type + headers, body: .bytes(bytes)) }
    return Response(headers: type + [(name: "Content-Encoding", value: "gzip")] + headers, body: .bytes(short))
  }
}
