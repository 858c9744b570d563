interface Typed {
  value?: unknown;
  type?: string | undefined;
}

/**
 * Returns the value as the service will read it, if that differs from the typed text. Never shows a secret.
 */
export function readAs({ value, type }: Typed, reads = (text: string) => text.trim()): string | undefined {
  const typed = String(value ?? '');
  const read = reads(typed);
  return type === 'password' || read === typed.trim() ? undefined : read;
}
