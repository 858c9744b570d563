import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { UpstreamFailed } from '../../errors.ts';
import { runIsolated } from '../../isolation/run-isolated.ts';
import type { FeishuClient } from './client.ts';
import { PIECE_SECONDS, SAMPLE_RATE } from './sound.ts';

const RECOGNITION_MS = 60_000;
const DECODING_MS = 30_000;

const answerSchema = z.looseObject({ recognition_text: z.string() });

/**
 * Recognizes speech with Feishu's own service, in chunks if it's long. Throws InvalidInput for bytes that aren't
 * Ogg/Opus.
 */
export async function recognizeSpeech(
  client: FeishuClient,
  audio: Uint8Array,
  signal?: AbortSignal,
): Promise<string> {
  const samples = await decodeOpus(audio, signal);
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
      // Feishu requires exactly 16 letters or digits
      config: { file_id: randomBytes(8).toString('hex'), format: 'pcm', engine_type: '16k_auto' },
    },
    timeoutMs: RECOGNITION_MS,
    signal,
  });
  const answer = answerSchema.safeParse(data);
  if (!answer.success)
    throw new UpstreamFailed(
      'chat_platform_answer_unusable',
      "Feishu returned a speech recognition result that can't be read.",
    );
  return answer.data.recognition_text.trim();
}

/** Decodes to samples from -1 to 1. Throws InvalidInput for bytes that aren't Ogg/Opus. */
export async function decodeOpus(audio: Uint8Array, signal?: AbortSignal): Promise<Float32Array> {
  const { program } = await import('./opus-program.ts');
  return runIsolated(program, 'decode', audio, { timeoutMs: DECODING_MS, signal });
}

function toPcm(samples: Float32Array): Buffer {
  const pcm = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, index) => {
    pcm.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 0x7fff), index * 2);
  });
  return pcm;
}
