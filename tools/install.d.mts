/**
 * Builds pages and server where they do not stem from the sources as they are.
 * @param only - `web` or `server`; without it both
 * @returns milliseconds
 */
export declare const build: (node: string, only?: 'web' | 'server') => Promise<number>
/** The built server. */
export declare const serverProgram: string
