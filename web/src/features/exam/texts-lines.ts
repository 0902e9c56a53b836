import { defineTexts } from '#web/kernel/i18n/index.ts'

/** The head and the button of the question; the rest comes with it. */
export const linesTexts = defineTexts(
  { 'lines.title': '修改合格线', 'lines.ok': '确认修改' },
  { 'lines.title': 'Change the pass line', 'lines.ok': 'Change it' },
)
