interface Typed {
  value?: unknown;
  type?: string | undefined;
}

/** The value as the service will read it, where that differs from what was typed. A secret is shown nowhere. */
export function readAs({ value, type }: Typed, reads = (text: string) => text.trim()): string | undefined {
  const typed = String(value ?? '');
  const read = reads(typed);
  return type === 'password' || read === typed.trim() ? undefined : read;
}
