import { defineStates } from '../kernel/machine.ts'

/** What an officer said of the health papers that came with a download of the ticket (`healthState`). */
export const healthStates = defineStates({
  wire: { waiting: 0, normal: 1, unusual: 2 },
  label: { waiting: { zh: '待核', en: 'To check' }, normal: { zh: '正常', en: 'Normal' }, unusual: { zh: '异常', en: 'Not normal' } },
  tone: { waiting: 'waiting', normal: 'passed', unusual: 'refused' },
})
