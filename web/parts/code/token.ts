/** A piece of code of one look. */
export interface Token {
  text: string;
  kind?: string;
}
