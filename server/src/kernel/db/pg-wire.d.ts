/** The driver's own conversion of a JavaScript value into a parameter; it ships no types of its own. */
declare module 'pg/lib/utils.js' {
  export function prepareValue(value: unknown): string | Buffer | null
}
