// One WebRTC connection that receives the room's sound, by WHEP: its offer, the server's answer,
// and the way through the network.

export const canWebRTC = typeof RTCPeerConnection === "function";

/// Milliseconds without a way through the network: after PATIENCE something else is heard
/// meanwhile, after GIVEN_UP the dial ends.
const [PATIENCE, GIVEN_UP] = [3000, 12000];
/// Milliseconds without packets, after which the sound counts as interrupted.
const SILENCE = 2200;

/// Changes an offer: asks for stereo, and for lost packets to be sent again (nack). Without that,
/// Chromium plays Opus in mono and asks for no lost packet.
export function asWanted(sdp) {
  const type = sdp.match(/^a=rtpmap:(\d+) opus\/48000/m)?.[1];
  if (!type) return sdp;
  if (!sdp.includes(`a=rtcp-fb:${type} nack`)) sdp = sdp.replace(new RegExp(`^(a=rtpmap:${type} .*)$`, "m"), `$1\r\na=rtcp-fb:${type} nack`);
  const form = new RegExp(`^a=fmtp:${type} (.*)$`, "m");
  if (form.exec(sdp)?.[1].includes("stereo=1")) return sdp;
  return form.test(sdp) ? sdp.replace(form, `a=fmtp:${type} $1;stereo=1;sprop-stereo=1`)
    : sdp.replace(new RegExp(`^(a=rtpmap:${type} .*)$`, "m"), `$1\r\na=fmtp:${type} stereo=1;sprop-stereo=1`);
}

export class WhepLine {
  #peer;
  #receiver;
  #offer;
  #place = null;
  #packets = 0;
  #arrived = 0;

  constructor(peer, receiver, offer) {
    this.#peer = peer;
    this.#receiver = receiver;
    this.#offer = offer;
  }

  /// A line with its offer. Making it takes time, but needs no server.
  static async prepare() {
    const peer = new RTCPeerConnection();
    const { receiver } = peer.addTransceiver("audio", { direction: "recvonly" });
    if ("jitterBufferTarget" in receiver) receiver.jitterBufferTarget = 0;
    else if ("playoutDelayHint" in receiver) receiver.playoutDelayHint = 0;
    const offer = await peer.createOffer();
    offer.sdp = asWanted(offer.sdp);
    await peer.setLocalDescription(offer);
    return new WhepLine(peer, receiver, offer.sdp);
  }

  /// Resolves when the line to `address` is connected. In a network with heavy losses that takes
  /// long: after PATIENCE `meanwhile` is called once, and the dial goes on.
  /// - Throws: the reason of a failure, after hanging up; with the server's `status` where the
  ///   server refused the line.
  async dial(address, meanwhile) {
    try {
      const answer = await fetch(address, {
        method: "POST", headers: { "Content-Type": "application/sdp" }, body: this.#offer, signal: AbortSignal.timeout(4000),
      });
      if (answer.status !== 201) {
        const problem = new Error((await answer.text()).trim() || `/whep answers ${answer.status}`);
        problem.status = answer.status;
        throw problem;
      }
      const place = answer.headers.get("Location");
      this.#place = place && new URL(place, answer.url || location.href).href;
      await this.#peer.setRemoteDescription({ type: "answer", sdp: await answer.text() });
      await this.#through(meanwhile);
      this.#arrived = performance.now();
    } catch (problem) {
      this.hangUp();
      throw problem;
    }
  }

  async #through(meanwhile) {
    const peer = this.#peer;
    let patience, end;
    try {
      await new Promise((resolve, reject) => {
        const fail = () => reject(new Error("no way through the network"));
        const look = () => {
          if (peer.connectionState === "connected") resolve();
          else if (["failed", "closed"].includes(peer.connectionState)) fail();
        };
        peer.onconnectionstatechange = look;
        look();
        patience = setTimeout(meanwhile, PATIENCE);
        end = setTimeout(fail, GIVEN_UP);
      });
    } finally {
      clearTimeout(patience);
      clearTimeout(end);
    }
  }

  hangUp() {
    this.#peer.onconnectionstatechange = null;
    if (!this.#place) return this.#peer.close();
    // The request comes before closing: a closed connection ends the session on the server, and
    // there would be nothing to delete.
    fetch(this.#place, { method: "DELETE", keepalive: true }).catch(() => {}).finally(() => this.#peer.close());
  }

  get track() { return this.#receiver.track; }
  get isConnected() { return this.#peer.connectionState === "connected"; }

  /// Calls `lost` whenever the connection is gone, until the line is hung up.
  whenLost(lost) {
    this.#peer.onconnectionstatechange = () => ["failed", "disconnected", "closed"].includes(this.#peer.connectionState) && lost();
  }

  sources() { return this.#receiver.getSynchronizationSources?.() ?? []; }
  stats() { return this.#receiver.getStats(); }

  /// Takes the stream's `RTCInboundRtpStreamStats`. Returns whether packets have come since the
  /// last figures.
  takeFigures({ packetsReceived }, now) {
    if (packetsReceived === this.#packets) return false;
    this.#packets = packetsReceived;
    this.#arrived = now;
    return true;
  }

  silence(now) { return now - this.#arrived; }
  arrives(now) { return this.isConnected && this.silence(now) < SILENCE; }
}
