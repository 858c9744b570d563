/** What a function made of an event: a value, or a stream; or an error instead, or behind what it had streamed. */
export interface Invocation {
  payload?: unknown;
  stream?: StreamedAnswer;
  error?: FunctionError | undefined;
}

export interface FunctionError {
  errorType: string;
  errorMessage: string;
}

export interface StreamedAnswer {
  contentType: string;
  prelude: { statusCode: number; headers: Record<string, string> };
  /** Where the body begins, in bytes of the stream. */
  bodyAt: number;
  /** The body as it arrived, each piece with its time since the event was handed over. */
  pieces: { atMs: number; text: string }[];
  /** All of the body. */
  text: string;
}

export interface Chunk {
  atMs: number;
  bytes: Buffer;
}

const DELIMITER = Buffer.alloc(8);

/** Takes the metadata prelude off a response stream, as API Gateway does. Throws when there is none. */
export function readStream(chunks: Chunk[], contentType: string): StreamedAnswer {
  const all = Buffer.concat(chunks.map(({ bytes }) => bytes));
  const end = all.indexOf(DELIMITER);
  if (end < 0) throw new Error(`a stream without a prelude: ${all.toString().slice(0, 200)}`);
  const bodyAt = end + DELIMITER.length;
  const pieces = textPieces(chunks, bodyAt);
  return {
    contentType,
    prelude: JSON.parse(all.toString('utf8', 0, end)) as StreamedAnswer['prelude'],
    bodyAt,
    pieces,
    text: pieces.map(({ text }) => text).join(''),
  };
}

function textPieces(chunks: Chunk[], bodyAt: number): StreamedAnswer['pieces'] {
  const decoder = new TextDecoder(); // a letter may lie in two chunks
  let skip = bodyAt;
  const pieces = chunks.map(({ atMs, bytes }) => {
    const body = bytes.subarray(Math.min(skip, bytes.length));
    skip -= bytes.length - body.length;
    return { atMs, text: decoder.decode(body, { stream: true }) };
  });
  return pieces.filter(({ text }) => text !== '');
}
