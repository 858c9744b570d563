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
  /** All of the body. */
  text: string;
}

const DELIMITER = Buffer.alloc(8);

/** Takes the metadata prelude off a response stream, as API Gateway does. Throws when there is none. */
export function readStream(bytes: Buffer, contentType: string): StreamedAnswer {
  const end = bytes.indexOf(DELIMITER);
  if (end < 0) throw new Error(`a stream without a prelude: ${bytes.toString().slice(0, 200)}`);
  const bodyAt = end + DELIMITER.length;
  return {
    contentType,
    prelude: JSON.parse(bytes.toString('utf8', 0, end)) as StreamedAnswer['prelude'],
    bodyAt,
    text: bytes.toString('utf8', bodyAt),
  };
}
