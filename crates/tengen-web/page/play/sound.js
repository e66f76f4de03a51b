// The sound of a stone that is put on the board: a short click, made here.

/** Seconds that it takes. */
const LONG = 0.06;

/** @type {AudioContext | null} */
let context = null;

/** Makes the sound. */
export function clack() {
  // Browsers allow no sound before a click or a key.
  if (navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(1100, now);
  tone.frequency.exponentialRampToValueAtTime(260, now + LONG);
  volume.gain.setValueAtTime(0.3, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + LONG);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + LONG);
}
