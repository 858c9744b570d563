/**
 * Tokens of prompt and answer together, by prefix of a model's name. The longest match decides. As of January
 * 2026, like `SIGHTED`. Nothing updates the list; `contextTokens` in the settings overrides it.
 */
const HOSTED_WINDOWS: Record<string, number> = {
  'gpt-3.5-turbo': 16_385,
  'gpt-4': 8192,
  'gpt-4-32k': 32_768,
  'gpt-4-turbo': 128_000,
  'gpt-4o': 128_000,
  'chatgpt-4o': 128_000,
  'gpt-4.1': 1_047_576,
  'gpt-4.5': 128_000,
  'gpt-5': 400_000,
  o1: 200_000,
  'o1-mini': 128_000,
  'o1-preview': 128_000,
  o3: 200_000,
  'o4-mini': 200_000,
  'claude-3': 200_000,
  'claude-opus-4': 200_000,
  'claude-sonnet-4': 200_000,
  'claude-haiku-4': 200_000,
  'gemini-1.5': 1_000_000,
  'gemini-2': 1_048_576,
  'gemini-3': 1_048_576,
};

/** Returns the window of a hosted model; undefined for any other. A gateway puts the vendor before the name: `anthropic/claude-…`. */
export function hostedWindow(model: string): number | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const beginnings = Object.keys(HOSTED_WINDOWS).filter((beginning) => isOf(name, beginning));
  const longest = beginnings.sort((one, other) => other.length - one.length)[0];
  return longest === undefined ? undefined : HOSTED_WINDOWS[longest];
}

/** Returns whether a name has a prefix. `o1` isn't a prefix of another vendor's `o100`. */
function isOf(name: string, beginning: string): boolean {
  return name.startsWith(beginning) && !/^[a-z0-9]/.test(name.slice(beginning.length));
}
