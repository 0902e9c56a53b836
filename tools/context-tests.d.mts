export function contextsOf(root: string): string[]
export function isOfContext(path: string, context: string): boolean
export function testsOfContext(root: string, folders: readonly string[], context: string): string[]
