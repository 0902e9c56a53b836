export { recordBrowserErrors } from './browser-errors.ts'
export { purgeLines } from './commands/purge-lines.ts'
export { openSpool, type Spool } from './spool.ts'
