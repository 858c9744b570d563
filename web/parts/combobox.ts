/** The ID of an option in a list. */
export function optionId(list: string, place: number): string {
  return `${list}-${place}`;
}

/** Names the list and its chosen option at the text field. */
export function comboboxOf(list: string, isOpen: boolean, at: number) {
  return {
    'aria-controls': list,
    'aria-activedescendant': isOpen && at >= 0 ? optionId(list, at) : undefined,
    'aria-autocomplete': 'list' as const,
  };
}

/** The place after an arrow key, which goes round; undefined for another key. */
export function stepOf(key: string, at: number, count: number): number | undefined {
  if (count === 0 || (key !== 'ArrowDown' && key !== 'ArrowUp')) return undefined;
  return key === 'ArrowDown' ? (at + 1) % count : (Math.max(at, 0) - 1 + count) % count;
}
