/** Writes the built program and its tables of lines. @returns the names of the files written */
export declare const bundle: (input: string, out: string) => Promise<readonly string[]>
export const childProgram: RegExp
