/**
 * Prefixes of the names of models that accept images, as the providers' pages listed them on 2026-01-31. `!`
 * excludes a prefix, even if a shorter one matches. VISION_MODELS adds others.
 */
const SIGHTED = [
  ...['gpt-4o', 'chatgpt-4o', 'gpt-4-turbo', 'gpt-4.1', 'gpt-4.5', 'gpt-5', 'o1', 'o3', 'o4-mini'],
  ...['!gpt-4o-audio', '!gpt-4o-mini-audio', '!o1-mini', '!o1-preview', '!o3-mini'],
  ...['claude-3', 'claude-opus-4', 'claude-sonnet-4', 'claude-haiku-4'],
  ...['gemini-1.5', 'gemini-2', 'gemini-3', 'gemma-3', 'gemma3', 'llama-4', 'llama4', 'llama3.2-vision'],
  ...['llava', 'pixtral', 'internvl', 'minicpm-v', 'qwen2-vl', 'qwen2.5-vl', 'qwen2.5vl', 'qwen3-vl'],
];

/**
 * Returns whether images may be sent to a model, by the administrator's list (`own`), then by the built-in
 * one. An unknown model gets no images, because servers refuse the whole request because of them.
 */
export function seesPictures(model: string, own: string[]): boolean {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return judge(own, name) ?? judge(SIGHTED, name) ?? false;
}

/** Returns the verdict of the longest matching prefix. */
function judge(list: string[], name: string): boolean | undefined {
  const fitting = list
    .map((entry) => ({ sees: !entry.startsWith('!'), beginning: entry.replace(/^!/, '').toLowerCase() }))
    .filter(({ beginning }) => name.startsWith(beginning));
  return fitting.sort((one, other) => other.beginning.length - one.beginning.length)[0]?.sees;
}
