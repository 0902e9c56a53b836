import type { zh } from './zh.ts'

export const en: Readonly<Record<keyof typeof zh, string>> = {
  'tab.home': 'Home',
  'tab.sign': 'Sign up',
  'tab.mine': 'Mine',
  'tab.notice': 'Messages',
  'nav.main': 'Main navigation',
  'nav.pay': 'Payments',
  'nav.ticket': 'Admission ticket',
  'nav.score': 'Results',
  'nav.info': 'Personal info',
  'nav.problem': 'Common questions',
  'nav.unread': '{count|unread message|unread messages}',
  'app.big': 'Large type',

  'state.loading': 'Loading',
  'state.failed': 'This could not be loaded',
  'state.failedPlain': 'Check your connection and try again.',

  'time.long': '{days}\u00a0days',
  'time.days': '{days}\u00a0d\u00a0{hours}\u00a0h',
  'time.hours': '{hours}\u00a0h\u00a0{minutes}\u00a0min',
  'time.minutes': '{minutes}\u00a0min\u00a0{seconds}\u00a0s',
  'time.over': 'Time is up',
  'time.left': '{time} left',
}
