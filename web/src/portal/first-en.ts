import type { openZh } from './home/open-zh.ts'
import type { dueZh } from './pay/due-zh.ts'
import type { stateZh } from './state-zh.ts'

export { en as portalEn } from './en.ts'
export { en as homeEn } from './home/en.ts'

/** What the parts of the first page say in English, for readers of English only. */
export const stateEn: Readonly<Record<keyof typeof stateZh, string>> = {
  'phase.notStarted': 'Not open yet',
  'phase.signing': 'Sign-up open',
  'phase.examining': 'Under review',
  'phase.paying': 'Payment open',
  'phase.adjusting': 'Transfer open',
  'phase.ticketing': 'Tickets available',
  'phase.examDay': 'Exam in progress',
  'phase.scoring': 'Marking',
  'phase.reviewing': 'Eligibility re-review',
  'phase.interviewing': 'Interviews',
  'phase.publicity': 'Public notice',
  'phase.finished': 'Finished',
  'phase.closed': 'Closed',
  'examType.1': 'Public-institution recruitment',
  'examType.2': 'Contract-staff recruitment',
  'examType.3': 'Health-profession qualification',
  'examType.4': 'Residency training',
  'examType.5': 'Other',
  'examine.0': 'Not submitted',
  'examine.1': 'Under review',
  'examine.2': 'Under review',
  'examine.3': 'Needs changes',
  'examine.4': 'Not passed',
  'examine.5': 'Passed review',
  'examine.6': 'Withdrawn',
  'examine.7': 'Disqualified',
}

export const openEn: Readonly<Record<keyof typeof openZh, string>> = {
  'home.open': 'Open for sign-up',
  'home.all': 'All exams',
  'home.noOpen': 'No exam is open for sign-up',
  'home.noOpenHint': 'You can look at earlier ones.',
  'home.closesIn': 'Sign-up closes',
  'home.opensAt': 'Opens {time}',
  'home.posts': '{posts|post|posts}, {plan|vacancy|vacancies}',
}

export const dueEn: Readonly<Record<keyof typeof dueZh, string>> = {
  'due.notice': '{name}: {amount} yuan due by {deadline}',
  'due.more': '{count} more fees are due. See all',
  'due.label': 'Payment due',
  'due.go': 'Pay now',
  'due.close': 'Close this reminder',
}
