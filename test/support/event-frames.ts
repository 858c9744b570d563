/** A part of a UI message stream as received. */
export interface Part {
  type: string;
  [field: string]: unknown;
}

/** Returns the parts of a stream's text, in order; throws for an event that violates the protocol. */
export function readFrames(text: string): { parts: Part[]; ids: number[]; last: string } {
  const frames = text.split('\n\n').filter((frame) => frame !== '' && !frame.startsWith(':'));
  const last = frames.pop() ?? '';
  const parts: Part[] = [];
  const ids: number[] = [];
  for (const frame of frames) {
    const match = /^id: (\d+)\ndata: (.+)$/.exec(frame);
    if (match === null) throw new Error(`not a frame: ${JSON.stringify(frame)}`);
    ids.push(Number(match[1]));
    parts.push(JSON.parse(match[2] ?? '') as Part);
  }
  return { parts, ids, last };
}

/** Returns all text of the answer. */
export function answerText(parts: Part[]): string {
  return parts.map(({ type, delta }) => (type === 'text-delta' ? String(delta) : '')).join('');
}
