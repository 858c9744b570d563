import { ServiceError } from '../../lib/errors.ts';

/** Memory for bodies is freed within seconds, except for the bodies of runs and chats, which are small. */
const RETRY_AFTER_SECONDS = 5;

/** The memory that one request uses. */
export interface Holding {
  /** Throws 503 if the limit is reached. */
  take(bytes: number): void;
  /** Releases the memory; call it when the request is answered. Idempotent. */
  release(): void;
}

/** Limits the total size of bodies in memory, because the number of requests is unlimited. */
export function bodyMemory(mostBytes: number): () => Holding {
  let held = 0;
  return () => {
    let own = 0;
    return {
      take(bytes) {
        if (held + bytes > mostBytes) throw full();
        held += bytes;
        own += bytes;
      },
      release() {
        held -= own;
        own = 0;
      },
    };
  };
}

function full(): ServiceError {
  return new ServiceError('server_busy', 'Too many requests with large bodies are running. Try again.', {
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  });
}
