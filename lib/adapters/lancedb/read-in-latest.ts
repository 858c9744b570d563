/** Maximum attempts of a reader whose version was removed in the meantime. */
const READS = 3;

/**
 * Reads again, in the latest version, if a file no longer exists: a paused reader may have a version that
 * maintenance has removed.
 */
export async function readInLatest<Answer>(read: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await read();
    } catch (error) {
      if (tries === READS || !/\bNot found: .*\.lance/.test((error as Error).message)) throw error;
    }
  }
}
