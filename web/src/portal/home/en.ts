import type { zh } from './zh.ts'

export const en: Readonly<Record<keyof typeof zh, string>> = {
  'home.title': 'Home',
  'home.hello': 'Hello, {name}',
  'home.next': 'Next step',
  'home.by': 'By {time}',
  'home.reviewBy': 'Review ends by {time}',
  'home.go.fill': 'Continue the form',
  'home.go.submit': 'Continue the form',
  'home.go.fix': 'Make the changes',
  'home.go.sendEdits': 'Submit the changes',
  'home.go.repost': 'Choose another post',
  'home.go.pay': 'Pay now',
  'home.go.downloadTicket': 'Print the ticket',
  'home.go.other': 'Details',
  'home.start': 'Choose an exam to sign up for',
  'home.startHint': 'Four steps. Leave when you like: all is saved.',
  'home.startGo': 'See the exams',
  'home.links': 'Shortcuts',
}
