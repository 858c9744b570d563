import { describe, expect, it } from '@jest/globals';
import { terminalColors } from '../../../web/terminal/terminal-colors.ts';

describe('terminalColors', () => {
  it("are the page's colors, if the page has them", () => {
    const values: Record<string, string> = { '--surface': ' #fff ', '--danger': '#a00' };
    const colors = terminalColors({ getPropertyValue: (name) => values[name] ?? '' });
    expect(colors).toMatchObject({ background: '#fff', red: '#a00' });
    expect(colors.foreground).toBeUndefined();
  });
});
