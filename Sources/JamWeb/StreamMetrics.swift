package import JamStream

extension MediaStatistics {
  /// The figures of the media port for `/metrics`.
  package var metrics: [Metric] {
    func count(_ name: String, _ help: String, _ value: UInt64) -> Metric {
      Metric(.counter, name, help: help, value: Double(value))
    }
    var roundTrip = Metric(
      .gauge, "rtp_worst_round_trip_seconds", help: "The longest round trip that a listener reported last.")
    if let worst = worstRoundTripMilliseconds { roundTrip.add(Double(worst) / 1_000) }
    return [
      count("rtp_datagrams_total", "RTP and RTCP datagrams sent.", sentDatagrams),
      count("rtp_refused_datagrams_total", "Datagrams that the kernel did not take.", refusedDatagrams),
      count("rtp_skipped_packets_total", "Packets that RTP came too late for.", skippedPackets),
      count("rtp_expired_leases_total", "Leases that nobody renewed.", expiredLeases),
      count("rtcp_reports_total", "Receiver reports about our streams.", receivedReports),
      count("rtcp_strangers_total", "Datagrams from addresses without a lease.", strangers),
      count("rtcp_malformed_total", "Datagrams that are no valid RTCP.", malformedDatagrams),
      Metric(
        .gauge, "rtp_worst_loss_ratio", help: "The worst loss that a listener reported last.",
        value: Double(worstLossFraction)),
      roundTrip,
    ]
  }

  /// The figures of its WebRTC.
  package var webRTCMetrics: [Metric] {
    [
      Metric(
        .counter, "webrtc_datagrams_total", help: "WebRTC datagrams sent, checks and reports included.",
        value: Double(webRTCDatagrams)),
      Metric(
        .counter, "webrtc_refused_datagrams_total", help: "WebRTC datagrams that the kernel did not take.",
        value: Double(refusedWebRTCDatagrams)),
    ] + webRTC.metrics
  }
}

extension WebRTCStatistics {
  /// The figures of WebRTC for `/metrics`.
  package var metrics: [Metric] {
    func count(_ name: String, _ help: String, _ value: UInt64) -> Metric {
      Metric(.counter, name, help: help, value: Double(value))
    }
    func gauge(_ name: String, _ help: String, _ value: Double?) -> Metric {
      var metric = Metric(.gauge, name, help: help)
      if let value { metric.add(value) }
      return metric
    }
    var protection = Metric(
      .counter, "webrtc_sessions_total", help: "WebRTC listeners by how their packets are protected.")
    protection.add(Double(profiles[.aesGCM] ?? 0), .init("srtp", "aes-gcm"))
    protection.add(Double(profiles[.aesCM] ?? 0), .init("srtp", "aes-cm"))
    var loss = Metric(
      .gauge, "webrtc_loss_ratio", help: "What each listener reported last to have lost, up to 64 of them.")
    var jitter = Metric(.gauge, "webrtc_jitter_seconds", help: "The same: its jitter.")
    var roundTrip = Metric(.gauge, "webrtc_round_trip_seconds", help: "The same: to it and back.")
    for (listener, reception) in receptions.sorted(by: { $0.key < $1.key }) {
      let label = Metric.Label("listener", String(listener))
      loss.add(Double(reception.lossFraction), label)
      jitter.add(Double(reception.jitterMilliseconds) / 1_000, label)
      if let trip = reception.roundTripMilliseconds { roundTrip.add(Double(trip) / 1_000, label) }
    }
    return [
      protection, loss, jitter, roundTrip,
      gauge("webrtc_connecting", "WebRTC listeners that are not connected yet.", Double(connecting)),
      count("webrtc_packets_total", "RTP packets sent to WebRTC listeners.", sentPackets),
      count("webrtc_skipped_packets_total", "Packets that WebRTC came too late for.", skippedPackets),
      count("webrtc_resent_packets_total", "Packets sent again because they were missed.", resentPackets),
      count("webrtc_unknown_resends_total", "Packets missed that are nowhere any more.", unknownResends),
      count("webrtc_refused_resends_total", "Packets missed by those who ask too often.", refusedResends),
      count("webrtc_silent_total", "WebRTC listeners that ended because nothing came from them.", silentListeners),
      count("webrtc_failed_handshakes_total", "DTLS handshakes that came to nothing.", failedHandshakes),
      count("webrtc_dropped_handshakes_total", "DTLS datagrams beyond what may wait.", droppedHandshakes),
      count("webrtc_reports_total", "Receiver reports of WebRTC listeners.", receivedReports),
      count("webrtc_refused_reports_total", "SRTCP that was forged, damaged or repeated.", refusedReports),
      count("webrtc_strangers_total", "STUN and DTLS from those who asked for nothing.", strangers),
      count("webrtc_malformed_total", "STUN and RTCP that is malformed.", malformed),
      gauge("webrtc_worst_loss_ratio", "The worst loss that a listener reported last.", Double(worstLossFraction)),
      gauge(
        "webrtc_worst_jitter_seconds", "The worst jitter that a listener reported last.",
        Double(worstJitterMilliseconds) / 1_000),
      gauge(
        "webrtc_worst_round_trip_seconds", "The longest round trip that a listener reported last.",
        worstRoundTripMilliseconds.map { Double($0) / 1_000 }),
    ]
  }
}

extension DatagramLoss {
  /// The datagrams that were lost on purpose, for `/metrics`.
  package var metrics: [Metric] {
    var lost = Metric(.counter, "webrtc_lost_on_purpose_total", help: "WebRTC datagrams that --lose took away.")
    for phase in Phase.allCases { lost.add(Double(self.lost(phase)), .init("phase", phase.rawValue)) }
    return [lost]
  }
}

extension OggStatistics {
  /// The figures of the Ogg fan-out for `/metrics`.
  package var metrics: [Metric] {
    func count(_ name: String, _ help: String, _ value: UInt64) -> Metric {
      Metric(.counter, name, help: help, value: Double(value))
    }
    return [
      count("ogg_pages_total", "Ogg pages sent.", sentPages),
      count("ogg_bytes_total", "Bytes of Ogg pages sent.", sentBytes),
      count("ogg_left_total", "Ogg listeners that left.", left),
      count("ogg_stalled_total", "Ogg listeners dropped because they took nothing.", stalled),
    ]
  }
}
