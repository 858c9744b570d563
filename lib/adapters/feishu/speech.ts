import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { InvalidInput, UpstreamFailed } from '../../errors.ts';
import type { FeishuClient } from './client.ts';

/** The service takes only this: samples of 16 bits, little-endian, one channel. */
const SAMPLE_RATE = 16_000;
/** The seconds of speech in one request; the service takes 60. */
const PIECE_SECONDS = 55;
const RECOGNITION_MS = 60_000;
const MAX_SECONDS = 5 * PIECE_SECONDS;
/** The bytes of the recording that are decoded at a time: what comes out can be thousands of times as much. */
const FEED_BYTES = 4096;

const answerSchema = z.looseObject({ recognition_text: z.string() });

/** Speech to text by the platform's own service; a long recording in pieces. Throws InvalidInput for what is no Ogg/Opus. */
export async function recognizeSpeech(
  client: FeishuClient,
  audio: Uint8Array,
  signal?: AbortSignal,
): Promise<string> {
  const samples = await decodeOpus(audio);
  const texts: string[] = [];
  const step = PIECE_SECONDS * SAMPLE_RATE;
  for (let from = 0; from < samples.length; from += step) {
    texts.push(await recognizePiece(client, toPcm(samples.subarray(from, from + step)), signal));
  }
  return texts.filter((text) => text !== '').join(' ');
}

async function recognizePiece(client: FeishuClient, pcm: Buffer, signal?: AbortSignal): Promise<string> {
  const data = await client.json({
    method: 'POST',
    path: '/speech_to_text/v1/speech/file_recognize',
    body: {
      speech: { speech: pcm.toString('base64') },
      // 16 letters or digits, exactly.
      config: { file_id: randomBytes(8).toString('hex'), format: 'pcm', engine_type: '16k_auto' },
    },
    timeoutMs: RECOGNITION_MS,
    signal,
  });
  const answer = answerSchema.safeParse(data);
  if (!answer.success) throw new UpstreamFailed('platform A answers speech in an unknown form');
  return answer.data.recognition_text.trim();
}

/** Samples from -1 to 1. The decoder is loaded with the first recording. */
export async function decodeOpus(audio: Uint8Array): Promise<Float32Array> {
  if (Buffer.from(audio.subarray(0, 4)).toString('latin1') !== 'OggS') throw unreadable();
  const { OggOpusDecoder } = await import('ogg-opus-decoder');
  const options = { forceStereo: false, sampleRate: SAMPLE_RATE }; // its types do not know the rate
  const decoder = new OggOpusDecoder(options);
  await decoder.ready;
  try {
    const pieces: Float32Array[] = [];
    let count = 0;
    for (let from = 0; from < audio.length; from += FEED_BYTES) {
      const { channelData } = await decoder.decode(audio.subarray(from, from + FEED_BYTES)); // a promise after all
      const mono = mixDown(channelData);
      count += mono.length;
      if (count > MAX_SECONDS * SAMPLE_RATE) {
        throw new InvalidInput(`a recording is at most ${MAX_SECONDS} seconds long`);
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
  return new InvalidInput('the recording is not Ogg/Opus');
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

function toPcm(samples: Float32Array): Buffer {
  const pcm = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, index) => {
    pcm.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 0x7fff), index * 2);
  });
  return pcm;
}
