import { InvalidInput } from '../../errors.ts';
import type { Transcriber } from '../../ports/transcriber.ts';
import { providerFailure } from '../outbound/provider-failure.ts';
import { type OpenaiSettings, openaiClient } from './client.ts';

/** The model name that all compatible servers accept. */
const MODEL = 'whisper-1';
const MAX_RETRIES = 2;
const TIMEOUT_MS = 120_000;
/** The API's own limit, in bytes. */
const MAX_BYTES = 25 * 1024 * 1024;

/** Speech to text through an OpenAI-compatible service. `who` names it in errors. */
export function openaiTranscriber(who: string, settings: OpenaiSettings): Transcriber {
  return {
    async transcribe(audio, signal) {
      if (audio.length > MAX_BYTES)
        throw new InvalidInput('recording_too_large', 'The recording is over 25 MB. Send a shorter one.');
      const [client, { toFile }] = await Promise.all([openaiClient(settings), import('openai')]);
      const { name, type } = describeAudio(audio);
      try {
        const file = await toFile(audio, name, { type });
        const options = { signal, maxRetries: MAX_RETRIES, timeout: TIMEOUT_MS };
        const { text } = await client.audio.transcriptions.create({ file, model: MODEL }, options);
        return text.trim();
      } catch (error) {
        signal?.throwIfAborted();
        throw providerFailure(who, error);
      }
    },
  };
}

/** The supported formats. The API recognizes a format by the file name, not by the bytes. */
const FORMATS = [
  { magic: 'OggS', at: 0, name: 'audio.ogg', type: 'audio/ogg' },
  { magic: 'RIFF', at: 0, name: 'audio.wav', type: 'audio/wav' },
  { magic: 'ID3', at: 0, name: 'audio.mp3', type: 'audio/mpeg' },
  { magic: 'fLaC', at: 0, name: 'audio.flac', type: 'audio/flac' },
  { magic: 'ftyp', at: 4, name: 'audio.m4a', type: 'audio/mp4' },
  { magic: '\x1aE\xdf\xa3', at: 0, name: 'audio.webm', type: 'audio/webm' },
];

function describeAudio(audio: Uint8Array): { name: string; type: string } {
  const head = Buffer.from(audio.subarray(0, 12)).toString('latin1');
  const format = FORMATS.find(({ magic, at }) => head.startsWith(magic, at));
  if (format === undefined)
    throw new InvalidInput(
      'recording_unreadable',
      "The recording has a format that can't be read. Use OGG, WAV, MP3, FLAC, M4A, or WebM.",
    );
  return format;
}
