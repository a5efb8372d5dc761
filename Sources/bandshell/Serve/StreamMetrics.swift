import JamStream
import JamWeb

extension MediaStatistics {
  /// The figures of the media port for `/metrics`.
  var metrics: [Metric] {
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
}

extension OggStatistics {
  /// The figures of the Ogg fan-out for `/metrics`.
  var metrics: [Metric] {
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
