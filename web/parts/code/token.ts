/** A uniformly styled piece of code. */
export interface Token {
  text: string;
  kind?: string;
}
