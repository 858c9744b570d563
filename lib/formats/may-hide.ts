/** Whether a source in Markdown may hold anything that its readers do not see. */
export function mayHide(source: string): boolean {
  return /<[a-z!?/]|\](?:\(|:)/i.test(source);
}
