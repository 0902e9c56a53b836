export function beginAnew(folder: string, databaseUrl?: string): void
export function adviceFor(line: string): string | undefined
