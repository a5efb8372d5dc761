// This device's microphone, for pads and for Recordings: one stream, which ends soon after its last use.

/// Milliseconds that the microphone stays open after a recording: the next one begins at once.
const STAYS = 8000;

/// The request for the stream, and the stream that it gave.
let stream = null;
let opened = null;
/// The number of recordings that run. Pads and Recordings may record at once.
let running = 0;
let closing = 0;
let context = null;

/// Whether this browser gives pages a microphone. On addresses that are not secure none does.
export const canHear = () => Boolean(navigator.mediaDevices?.getUserMedia && window.MediaRecorder);

/// Whether an error is that of a recording whose stream has ended, as after an unplug.
export const hasEnded = ({ name }) => name === "InvalidStateError" || name === "NotSupportedError";

/// Opens the microphone. The browser may ask the person first.
/// - Throws: the browser's error, `NotAllowedError` or `NotFoundError` for example.
export async function openMicrophone() {
  clearTimeout(closing);
  // Filters for speech would change the sound.
  const audio = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
  // A microphone that was unplugged gives no more sound.
  if (opened?.getTracks().every(({ readyState }) => readyState === "ended")) stream = opened = null;
  const mine = stream ??= navigator.mediaDevices.getUserMedia({ audio });
  try {
    const given = await mine;
    if (stream === mine) opened = given;
    return given;
  } catch (problem) {
    if (stream === mine) stream = null;
    throw problem;
  }
}

/// Closes the microphone a little later, unless it is opened again or something records.
export function rest() {
  clearTimeout(closing);
  closing = setTimeout(shut, STAYS);
}

/// Closes the microphone now, unless something records. Each recording that ends calls this or
/// `rest()`.
export function shut() {
  clearTimeout(closing);
  if (running === 0) cut();
}

/// Closes the microphone now, and ends what is recorded.
export function cut() {
  clearTimeout(closing);
  stream?.then((given) => given.getTracks().forEach((track) => track.stop())).catch(() => {});
  stream = opened = null;
}

/// One recording of a stream, from now on.
/// - Throws: the browser's error, for a stream that has ended for example.
export class Recording {
  #parts = [];
  #values = new Float32Array(1024);

  constructor(given) {
    this.#recorder = new MediaRecorder(given);
    this.#recorder.ondataavailable = (event) => this.#parts.push(event.data);
    this.ended = new Promise((resolve) => {
      this.#recorder.onstop = () => {
        running -= 1;
        resolve();
      };
    });
    this.#recorder.start();
    running += 1;
    try {
      context ??= new AudioContext();
      // Where no finger touched the page yet, as with a MIDI box, there is no level.
      context.resume().catch(() => {});
      this.#source = context.createMediaStreamSource(given);
      this.#analyser = new AnalyserNode(context, { fftSize: this.#values.length });
      this.#source.connect(this.#analyser);
    } catch {}
  }

  #recorder;
  #source = null;
  #analyser = null;

  /// How loud it is now: 0 is −48 dB, 1 full scale.
  get level() {
    if (!this.#analyser) return 0;
    this.#analyser.getFloatTimeDomainData(this.#values);
    const most = this.#values.reduce((a, value) => Math.max(a, Math.abs(value)), 0);
    return Math.min(1, Math.max(0, 1 + (20 * Math.log10(most || 1e-9)) / 48));
  }

  /// Ends the recording, and gives it as a file.
  async end() {
    this.#source?.disconnect();
    if (this.#recorder.state !== "inactive") this.#recorder.stop();
    await this.ended;
    return new Blob(this.#parts);
  }
}
