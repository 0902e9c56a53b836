export { recordBrowserErrors } from './browser-errors.ts'
export type { LogSettings } from './lines.ts'
export type { LogModule } from './module.ts'
