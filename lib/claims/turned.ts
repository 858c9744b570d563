/** Something that a sentence says, and its quotes say otherwise. */
export interface Turned {
  text: string;
  /** Whether code alone can tell. If not, they may say the same in other words. */
  isCertain: boolean;
}
