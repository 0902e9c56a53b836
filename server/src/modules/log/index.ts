export { recordBrowserErrors } from './browser-errors.ts'
