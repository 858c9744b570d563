import { ServiceError } from '../../lib/errors.ts';

/** What is held of bodies empties within seconds: runs and chats keep theirs, but these are small. */
const RETRY_AFTER_SECONDS = 5;

/** What one request holds of a room. */
export interface Holding {
  /** Throws 503 when the room is full. */
  take(bytes: number): void;
  /** When the request is answered. Harmless twice. */
  release(): void;
}

/** Room for the bodies that are held at once: their number has no bound, so their sum must have one. */
export function bodyRoom(mostBytes: number): () => Holding {
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
