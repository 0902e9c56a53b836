import type { zh } from './zh.ts'

export const en: Readonly<Record<keyof typeof zh, string>> = {
  'app.name': 'District Health System Talent Recruitment Platform',
  'app.skip': 'Skip to main content',
  'app.theme.toDark': 'Switch to dark',
  'app.theme.toLight': 'Switch to light',

  'error.system': 'System error',
  'error.withId': '{message} (request {id})',
  'error.network': 'Network error. Check your connection and try again',
  'error.timeout': 'The request took too long. Please try again later',
  'error.tokenExpired': 'User token expired, please log in again',
  'error.load': 'Could not load',
  'error.chunk': 'A part of this page could not be loaded in time. Check your connection and try again',

  'action.ok': 'OK',
  'action.close': 'Close',
  'action.retry': 'Try again',
}
