// This device's microphone, for pads and for Recordings: one stream, which ends soon after its last use.

/// Milliseconds that the microphone stays open after a recording: the next one begins at once.
const STAYS = 8000;

let stream = null;
let closing = 0;
let context = null;

/// Whether this browser gives pages a microphone. On addresses that are not secure none does.
export const canHear = () => Boolean(navigator.mediaDevices?.getUserMedia && window.MediaRecorder);

/// Opens the microphone. The browser may ask the person first.
/// - Throws: the browser's error, `NotAllowedError` or `NotFoundError` for example.
export async function openMicrophone() {
  clearTimeout(closing);
  // Filters for speech would change the sound.
  const audio = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
  stream ??= navigator.mediaDevices.getUserMedia({ audio });
  try {
    return await stream;
  } catch (problem) {
    stream = null;
    throw problem;
  }
}

/// Closes the microphone a little later, unless it is opened again.
export function rest() {
  clearTimeout(closing);
  closing = setTimeout(shut, STAYS);
}

/// Closes the microphone now.
export function shut() {
  clearTimeout(closing);
  stream?.then((opened) => opened.getTracks().forEach((track) => track.stop())).catch(() => {});
  stream = null;
}

/// One recording of a stream, from now on.
export class Recording {
  #parts = [];
  #values = new Float32Array(1024);

  constructor(opened) {
    this.#recorder = new MediaRecorder(opened);
    this.#recorder.ondataavailable = (event) => this.#parts.push(event.data);
    this.ended = new Promise((resolve) => { this.#recorder.onstop = resolve; });
    this.#recorder.start();
    try {
      context ??= new AudioContext();
      // Where no finger touched the page yet, as with a MIDI box, there is no level.
      context.resume().catch(() => {});
      this.#source = context.createMediaStreamSource(opened);
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
