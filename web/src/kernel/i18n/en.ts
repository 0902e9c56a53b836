import type { zh } from './zh.ts'

export const en: Readonly<Record<keyof typeof zh, string>> = {
  'app.name': 'District Health System Talent Recruitment Platform',
  'app.skip': 'Skip to main content',
  'app.lang.zh': '中文',
  'app.lang.en': 'English',
  'app.theme.toDark': 'Switch to dark',
  'app.theme.toLight': 'Switch to light',
  'app.messages': 'Messages',

  'error.system': 'System error',
  'error.network': 'Network error. Check your connection and try again',
  'error.timeout': 'The request took too long. Please try again later',
  'error.tokenExpired': 'User token expired, please log in again',
  'error.load': 'Could not load',
  'error.chunk': 'A part of this page could not be loaded in time. Check your connection and try again',

  'action.edit': 'Edit',
  'action.search': 'Search',
  'action.fold': 'Fold',
  'action.ok': 'OK',
  'action.close': 'Close',
  'action.next': 'Next',
  'action.previous': 'Previous',
  'action.retry': 'Try again',
}
