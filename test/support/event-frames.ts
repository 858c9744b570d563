/** A part of a UI message stream as it came. */
export interface Part {
  type: string;
  [field: string]: unknown;
}

/** The parts of a stream's text, in order; throws where a frame is not as the protocol has it. */
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

/** All text of the answer. */
export function answerText(parts: Part[]): string {
  return parts.map(({ type, delta }) => (type === 'text-delta' ? String(delta) : '')).join('');
}
