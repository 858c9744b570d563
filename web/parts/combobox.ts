/** Returns the ID of an option in a list. */
export function optionId(list: string, place: number): string {
  return `${list}-${place}`;
}

/** Returns the attributes of the text field, which name the list and its selected option. */
export function comboboxOf(list: string, isOpen: boolean, at: number) {
  return {
    'aria-controls': list,
    'aria-activedescendant': isOpen && at >= 0 ? optionId(list, at) : undefined,
    'aria-autocomplete': 'list' as const,
  };
}

/** Returns the index after an arrow key, which wraps around; undefined for any other key. */
export function stepOf(key: string, at: number, count: number): number | undefined {
  if (count === 0 || (key !== 'ArrowDown' && key !== 'ArrowUp')) return undefined;
  return key === 'ArrowDown' ? (at + 1) % count : (Math.max(at, 0) - 1 + count) % count;
}
