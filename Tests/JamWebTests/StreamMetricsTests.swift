import JamStream
import Testing

@testable import JamWeb

@Suite("stream metrics")
struct StreamMetricsTests {
  /// Names without the prefix, and values; a metric without readings says nothing.
  private func readings(_ metrics: [Metric], _ kind: Metric.Kind) -> [String: Double] {
    var readings: [String: Double] = [:]
    for metric in metrics where metric.kind == kind {
      #expect(metric.name.hasSuffix("_total") == (kind == .counter) && !metric.help.isEmpty)
      if let reading = metric.readings.first {
        readings[String(metric.name.dropFirst("bandshell_".count))] = reading.value
      }
    }
    return readings
  }

  @Test("everything that the media port counts is told, in base units")
  func media() {
    var statistics = MediaStatistics()
    statistics.sentDatagrams = 1
    statistics.refusedDatagrams = 2
    statistics.skippedPackets = 3
    statistics.expiredLeases = 4
    statistics.receivedReports = 5
    statistics.strangers = 6
    statistics.malformedDatagrams = 7
    statistics.worstLossFraction = 0.25
    #expect(
      readings(statistics.metrics, .counter) == [
        "rtp_datagrams_total": 1, "rtp_refused_datagrams_total": 2, "rtp_skipped_packets_total": 3,
        "rtp_expired_leases_total": 4, "rtcp_reports_total": 5, "rtcp_strangers_total": 6, "rtcp_malformed_total": 7,
      ])
    #expect(readings(statistics.metrics, .gauge) == ["rtp_worst_loss_ratio": 0.25])
    statistics.worstRoundTripMilliseconds = 1_500
    #expect(
      readings(statistics.metrics, .gauge) == ["rtp_worst_loss_ratio": 0.25, "rtp_worst_round_trip_seconds": 1.5])
  }

  @Test("everything that WebRTC counts is told, in base units, AES-GCM and AES-CM apart")
  func webRTC() {
    var statistics = MediaStatistics()
    statistics.webRTCDatagrams = 1
    statistics.refusedWebRTCDatagrams = 2
    statistics.webRTC.connecting = 3
    statistics.webRTC.sentPackets = 4
    statistics.webRTC.skippedPackets = 5
    statistics.webRTC.resentPackets = 6
    statistics.webRTC.unknownResends = 7
    statistics.webRTC.refusedResends = 8
    statistics.webRTC.silentListeners = 9
    statistics.webRTC.failedHandshakes = 10
    statistics.webRTC.droppedHandshakes = 11
    statistics.webRTC.receivedReports = 12
    statistics.webRTC.refusedReports = 13
    statistics.webRTC.strangers = 14
    statistics.webRTC.malformed = 15
    statistics.webRTC.profiles = [.aesGCM: 16, .aesCM: 17]
    statistics.webRTC.worstJitterMilliseconds = 250
    statistics.webRTC.worstRoundTripMilliseconds = 1_500
    statistics.webRTC.receptions = [
      3: Reception(lossFraction: 0.5, jitterMilliseconds: 2_000, roundTripMilliseconds: 4_000)
    ]
    let metrics = statistics.webRTCMetrics
    #expect(
      readings(metrics, .counter) == [
        "webrtc_datagrams_total": 1, "webrtc_refused_datagrams_total": 2, "webrtc_packets_total": 4,
        "webrtc_skipped_packets_total": 5, "webrtc_resent_packets_total": 6, "webrtc_unknown_resends_total": 7,
        "webrtc_refused_resends_total": 8, "webrtc_silent_total": 9, "webrtc_failed_handshakes_total": 10,
        "webrtc_dropped_handshakes_total": 11, "webrtc_reports_total": 12, "webrtc_refused_reports_total": 13,
        "webrtc_strangers_total": 14, "webrtc_malformed_total": 15, "webrtc_sessions_total": 16,
      ])
    #expect(metrics.flatMap(\.readings).first { $0.labels == [.init("srtp", "aes-cm")] }?.value == 17)
    #expect(
      readings(metrics, .gauge) == [
        "webrtc_connecting": 3, "webrtc_worst_loss_ratio": 0, "webrtc_worst_jitter_seconds": 0.25,
        "webrtc_worst_round_trip_seconds": 1.5, "webrtc_loss_ratio": 0.5, "webrtc_jitter_seconds": 2,
        "webrtc_round_trip_seconds": 4,
      ])
  }

  @Test("everything that the Ogg fan-out counts is told")
  func ogg() {
    var statistics = OggStatistics()
    statistics.sentPages = 1
    statistics.sentBytes = 2
    statistics.left = 3
    statistics.stalled = 4
    #expect(
      readings(statistics.metrics, .counter) == [
        "ogg_pages_total": 1, "ogg_bytes_total": 2, "ogg_left_total": 3, "ogg_stalled_total": 4,
      ])
  }
}
