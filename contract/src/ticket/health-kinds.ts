import type { Label } from '../kernel/label.ts'

/** The health documents that a notice may ask for, by their names on the wire. */
export const healthKinds = {
  jkm: { zh: '健康码截图', en: 'health code' },
  xcm: { zh: '行程码截图', en: 'travel code' },
  hsjcbg: { zh: '核酸检测报告', en: 'test report' },
} as const satisfies Readonly<Record<string, Label>>
export type HealthKind = keyof typeof healthKinds

/** Their names in a sentence. */
export const healthNames = (kinds: readonly HealthKind[]): Label => ({
  zh: kinds.map(kind => healthKinds[kind].zh).join('、'),
  en: kinds.map(kind => healthKinds[kind].en).join(', '),
})
