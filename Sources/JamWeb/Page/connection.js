// The control socket, with one OSC packet in each binary frame. A lost connection comes back by
// itself, within two seconds.

/// Milliseconds: the longest wait before the next attempt to connect.
const RETRY_MOST = 900;
/// Milliseconds without a message from the server. After DOUBT the page asks the server whether it
/// is there, after QUIET the page assumes that no message gets through, after PATIENCE it gives the
/// socket up.
const [DOUBT, QUIET, PATIENCE] = [350, 800, 4000];
/// Milliseconds between two looks at that silence. If a look comes later than three times this, the
/// page was busy, and messages may wait to be read.
const LOOK = 100;

export class Connection extends EventTarget {
  #socket = null;
  #tries = 0;
  #timer = 0;
  #heard = 0;
  #closed = false;
  #asked = 0;
  #looked = 0;
  #quiet = false;

  constructor(url) {
    super();
    this.url = url;
    addEventListener("online", () => this.#retry(0));
    addEventListener("pageshow", () => this.#retry(0));
    document.addEventListener("visibilitychange", () => !document.hidden && this.#retry(0));
    // When the network is gone, the page asks the server at once: the server may run on this same
    // machine.
    addEventListener("offline", () => this.#ask());
    setInterval(() => this.#watch(), LOOK);
  }

  get isOpen() { return this.#socket?.readyState === WebSocket.OPEN; }

  /// Whether the connection is open and the server sent something within the last QUIET
  /// milliseconds.
  get isHeard() { return this.isOpen && !this.#quiet; }

  /// Whether the page itself closed the connection, and does not open it again by itself.
  get isClosed() { return this.#closed; }

  open() {
    clearTimeout(this.#timer);
    this.#closed = false;
    this.#drop();
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    this.#heard = performance.now();
    socket.onopen = () => {
      this.#tries = 0;
      this.#hear();
      this.dispatchEvent(new Event("open"));
    };
    socket.onmessage = (event) => {
      this.#hear();
      if (event.data instanceof ArrayBuffer) {
        this.dispatchEvent(new MessageEvent("packet", { data: new Uint8Array(event.data) }));
      }
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.#quiet = false;
      this.dispatchEvent(new Event("close"));
      this.#retry(Math.min(100 * 2 ** this.#tries++, RETRY_MOST));
    };
  }

  /// Sends one packet. While the socket is down, the packet is lost, as a hit would be in a network
  /// that drops packets.
  send(packet) {
    if (!this.isOpen) return false;
    this.#socket.send(packet);
    return true;
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#drop();
    this.dispatchEvent(new Event("close"));
  }

  #retry(wait) {
    if (this.#closed || this.#socket) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.open(), wait);
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    this.#quiet = false;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #hear() {
    this.#heard = performance.now();
    if (!this.#quiet) return;
    this.#quiet = false;
    this.dispatchEvent(new Event("heard"));
  }

  #ask() {
    if (!this.isOpen) return;
    this.#asked = performance.now();
    this.dispatchEvent(new Event("doubt"));
  }

  // A network that went away closes no socket. While the beat runs, messages come several times a
  // second, so silence is a sign; without a beat the page asks the server.
  #watch() {
    const now = performance.now();
    const busy = now - this.#looked > 3 * LOOK;
    this.#looked = now;
    if (!this.#socket || document.hidden) return;
    if (busy) {
      this.#heard = Math.max(this.#heard, now - DOUBT);
      return;
    }
    const silence = now - this.#heard;
    if (silence >= PATIENCE) {
      this.#drop();
      this.dispatchEvent(new Event("close"));
      this.#retry(0);
    } else if (this.isOpen) {
      if (silence >= DOUBT && now - this.#asked >= DOUBT) this.#ask();
      if (silence >= QUIET && !this.#quiet) {
        this.#quiet = true;
        this.dispatchEvent(new Event("quiet"));
      }
    }
  }
}
