import { defineTexts, useT } from '#web/kernel/i18n/index.ts'
import type { Tone } from './kit/ui.tsx'
import { stateZh } from './state-zh.ts'

const stateTexts = defineTexts(stateZh, async () => (await import('./first-en.ts')).stateEn)

type Key = keyof typeof stateZh

/** Words for the numbers of the wire, as a candidate reads them (domain 4.2: a reviewer's two levels are one "under review"). */
export const useStateText = () => {
  const t = useT(stateTexts)
  const of = (prefix: string, value: string | number): string => {
    const key = `${prefix}.${value}`
    return key in stateZh ? (t as (key: Key) => string)(key as Key) : ''
  }
  return {
    phase: (phase: string) => of('phase', phase),
    examType: (type: number) => of('examType', type),
    examine: (state: number) => of('examine', state),
  }
}

export const examineTone = (examine: number): Tone =>
  (['neutral', 'active', 'active', 'warning', 'danger', 'success', 'neutral', 'danger'] as const)[examine] ?? 'neutral'

export const phaseTone = (phase: string): Tone =>
  phase === 'signing' ? 'success' : phase === 'notStarted' ? 'active' : ['finished', 'closed'].includes(phase) ? 'neutral' : 'warning'
