import { useT } from '#web/kernel/i18n/index.ts'
import type { Tone } from '../kit/ui.tsx'
import { laterTexts } from '../later-texts.ts'

const keys = ['pay.0', 'pay.1', 'pay.2', 'pay.3', 'pay.4', 'pay.5', 'pay.6'] as const

/** The word for a payment state of the wire. */
export const usePayText = (): ((state: number) => string) => {
  const t = useT(laterTexts)
  return state => {
    const key = keys[state]
    return key === undefined ? '' : t(key)
  }
}

export const payTone = (state: number): Tone =>
  (['neutral', 'warning', 'success', 'active', 'neutral', 'danger', 'neutral'] as const)[state] ?? 'neutral'
