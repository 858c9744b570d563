/**
 * Resolves with the answer, or with undefined at the deadline, even if `ask` ignores the signal that the
 * deadline aborts (for example, because it sleeps between two attempts).
 */
export async function withTimeout<Answer>(
  deadlineMs: number,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer | undefined> {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      over.abort();
      resolve(undefined);
    }, deadlineMs);
  });
  try {
    return await Promise.race([ask(over.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
