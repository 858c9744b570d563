/** Returns the elements of a name in a prompt, with their attributes and texts. */
export function elements(content: string, name: string): { attributes: string; text: string }[] {
  const pattern = new RegExp(`<${name}-([0-9a-f]+)([^>\\n]*)>\\n([\\s\\S]*?)\\n</${name}-\\1>`, 'g');
  return [...content.matchAll(pattern)].map(([, , attributes = '', text = '']) => ({ attributes, text }));
}

/** Returns the number of an element, as its attributes state it. */
export function numberOf({ attributes }: { attributes: string }): number {
  return Number(/number="(\d+)"/.exec(attributes)?.[1]);
}
