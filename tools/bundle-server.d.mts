/** Writes the built program, the commands beside it and their tables of lines. @returns the names of the files written */
export declare const bundle: (input: string, out: string, commands?: readonly string[]) => Promise<readonly string[]>
/** The address by which a source starts another as a process of its own; its first group is the name without `.ts`. */
export declare const childProgram: RegExp
