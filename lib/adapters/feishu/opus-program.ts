import { InvalidInput } from '../../errors.ts';
import { isolatedProgram } from '../../isolation/program.ts';
import { PIECE_SECONDS, SAMPLE_RATE } from './sound.ts';

const MAX_SECONDS = 5 * PIECE_SECONDS;
/** Bytes of the recording to decode at once, because the output can be thousands of times larger. */
const FEED_BYTES = 4096;

/**
 * The decoder of voice messages, a program for a separate process. Decodes Ogg/Opus to samples from -1 to 1
 * on one channel.
 */
export const program = isolatedProgram(import.meta, { decode });

async function decode(audio: Uint8Array): Promise<Float32Array> {
  if (Buffer.from(audio.subarray(0, 4)).toString('latin1') !== 'OggS') throw unreadable();
  const { OggOpusDecoder } = await import('ogg-opus-decoder');
  const options = { forceStereo: false, sampleRate: SAMPLE_RATE }; // the package's types lack the rate
  const decoder = new OggOpusDecoder(options);
  await decoder.ready;
  try {
    const pieces: Float32Array[] = [];
    let count = 0;
    for (let from = 0; from < audio.length; from += FEED_BYTES) {
      // A promise, despite its type.
      const { channelData } = await decoder.decode(audio.subarray(from, from + FEED_BYTES));
      const mono = mixDown(channelData);
      count += mono.length;
      if (count > MAX_SECONDS * SAMPLE_RATE) {
        throw new InvalidInput(
          'recording_too_large',
          `A recording can be at most ${MAX_SECONDS} seconds long.`,
        );
      }
      pieces.push(mono);
    }
    pieces.push(mixDown((await decoder.flush()).channelData));
    return join(pieces);
  } catch (error) {
    throw error instanceof InvalidInput ? error : unreadable();
  } finally {
    decoder.free();
  }
}

function unreadable(): InvalidInput {
  return new InvalidInput('recording_unreadable', "The recording isn't Ogg/Opus audio.");
}

function mixDown(channels: Float32Array[]): Float32Array {
  const [first, ...others] = channels;
  if (first === undefined || others.length === 0) return first ?? new Float32Array(0);
  return first.map(
    (value, index) => others.reduce((sum, channel) => sum + (channel[index] ?? 0), value) / channels.length,
  );
}

function join(pieces: Float32Array[]): Float32Array {
  const all = new Float32Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  if (all.length === 0) throw unreadable();
  return all;
}
