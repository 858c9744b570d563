/**
 * Returns the next position of `wanted` after a position; -1 if there is no other one. An empty text is at every
 * position, and `indexOf` finds it at the end again and again, so a loop over its positions would never end.
 */
export function nextPlace(text: string, wanted: string, after = -1): number {
  return wanted === '' ? -1 : text.indexOf(wanted, after + 1);
}
