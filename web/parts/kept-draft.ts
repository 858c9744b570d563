const keyOf = (name: string) => `draft:${name}`;

/** Returns a draft as this tab has stored it; empty if there is none. */
export function keptDraft(name: string): string {
  return sessionStorage.getItem(keyOf(name)) ?? '';
}

/** Stores a draft, even for a view that isn't open yet, which then opens with it. */
export function keepDraft(name: string, text: string): void {
  if (text === '') sessionStorage.removeItem(keyOf(name));
  else keep(keyOf(name), text);
}

/** Puts a text before the draft of a view that was left. It is added once, however often this is called. */
export function prependToDraft(name: string, text: string): void {
  const kept = keptDraft(name);
  if (!kept.startsWith(text)) keepDraft(name, kept.trim() === '' ? text : `${text}\n\n${kept}`);
}

/** Stores a text. If the browser's storage is full, nothing is stored, and the view works without it. */
function keep(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {}
}
