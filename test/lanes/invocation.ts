/**
 * The result of a function for an event: a value or a stream, or an error instead or after a partial stream.
 */
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
  /** Start of the body, in bytes of the stream. */
  bodyAt: number;
  /** The whole body. */
  text: string;
}

const DELIMITER = Buffer.alloc(8);

/** Removes the metadata prelude from a response stream, like API Gateway. Throws if there is none. */
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
