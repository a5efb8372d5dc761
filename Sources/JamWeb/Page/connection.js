// The control socket: one OSC packet in each binary frame. It comes back by itself, within two seconds.

const RETRY_MOST = 900;
const PATIENCE = 4000;

export class Connection extends EventTarget {
  #socket = null;
  #tries = 0;
  #timer = 0;
  #heard = 0;
  #closed = false;

  constructor(url) {
    super();
    this.url = url;
    addEventListener("online", () => this.#retry(0));
    addEventListener("pageshow", () => this.#retry(0));
    document.addEventListener("visibilitychange", () => !document.hidden && this.#retry(0));
    setInterval(() => this.#watch(), 1000);
  }

  get isOpen() { return this.#socket?.readyState === WebSocket.OPEN; }

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
      this.#heard = performance.now();
      this.dispatchEvent(new Event("open"));
    };
    socket.onmessage = (event) => {
      this.#heard = performance.now();
      if (event.data instanceof ArrayBuffer) {
        this.dispatchEvent(new MessageEvent("packet", { data: new Uint8Array(event.data) }));
      }
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.dispatchEvent(new Event("close"));
      this.#retry(Math.min(100 * 2 ** this.#tries++, RETRY_MOST));
    };
  }

  /// Sends one packet; what is sent while the socket is down is lost, as a hit in a dropped network would be.
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
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  // A network that went away closes nothing. The clock asks every two seconds, so a silence is a fault.
  #watch() {
    if (!this.#socket || document.hidden || performance.now() - this.#heard < PATIENCE) return;
    this.#drop();
    this.dispatchEvent(new Event("close"));
    this.#retry(0);
  }
}
