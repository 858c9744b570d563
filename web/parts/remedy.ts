import { createContext } from 'react';

/**
 * Returns what a reader can do about an error with this code, such as a link, or undefined. Provided by the frame,
 * because parts don't know pages.
 */
export const RemedyContext = createContext<(code: string | undefined) => React.ReactNode>(() => undefined);
