// One WebRTC connection that hears the room, by WHEP: its offer, the server's answer, and the way through the network.

export const canWebRTC = typeof RTCPeerConnection === "function";

/// How long a way through the network may take before something else is heard, and before it is given up, in milliseconds.
const [PATIENCE, GIVEN_UP] = [3000, 12000];
/// Sound that has not come for so many milliseconds is gone.
const SILENCE = 2200;

/// Opus is mono to Chromium, and nothing that was lost is asked for again, unless its own offer says otherwise.
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

  /// A line with its offer, which costs time and needs nobody.
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

  /// Until the line to `address` is connected. A network that loses much lets it through late: `meanwhile` is called once, and it goes on.
  /// - Throws: why the line is hung up instead, with the server's `status` where the server refused it.
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
    // First the word, then the silence: closing ends the session by itself, and there would be nothing to delete.
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

  /// Takes the stream's `RTCInboundRtpStreamStats`: whether packets have come since.
  takeFigures({ packetsReceived }, now) {
    if (packetsReceived === this.#packets) return false;
    this.#packets = packetsReceived;
    this.#arrived = now;
    return true;
  }

  silence(now) { return now - this.#arrived; }
  arrives(now) { return this.isConnected && this.silence(now) < SILENCE; }
}
