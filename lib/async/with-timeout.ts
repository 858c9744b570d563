/**
 * An answer, or undefined when the deadline comes first; that aborts the signal, and holds even where who is asked does
 * not listen to it (it may sleep between two tries).
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
