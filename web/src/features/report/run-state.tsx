import { useT } from '#web/kernel/i18n/index.ts'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { reportTexts } from './texts.ts'

const states = {
  0: { key: 'state.0', tone: 'waiting' },
  3: { key: 'state.3', tone: 'active' },
  4: { key: 'state.4', tone: 'passed' },
  5: { key: 'state.5', tone: 'refused' },
  6: { key: 'state.6', tone: 'closed' },
} as const

export const RunState = ({ state }: { readonly state: number }) => {
  const t = useT(reportTexts)
  const of = states[(state in states ? state : 5) as keyof typeof states]
  return <StatusTag tone={of.tone} text={t(of.key)} />
}
