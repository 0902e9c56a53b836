import { yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import type { Row } from '#web/resource/fields.ts'
import { useDict } from '#web/resource/use-dict.ts'
import { StatusTag, type Tone } from '#web/ui/status-tag.tsx'
import { waits } from './due-rules.ts'
import { payTexts } from './texts.ts'

/** By the number of the state of a due, of an order, of its receipt. */
export const dueTones: readonly Tone[] = ['closed', 'waiting', 'passed', 'active', 'closed', 'refused', 'draft']
export const orderTones: readonly Tone[] = ['draft', 'waiting', 'passed', 'closed', 'active', 'closed', 'closed', 'refused']
export const invoiceTones: readonly Tone[] = ['draft', 'passed', 'waiting']
export const StateCell = ({ code, value, tones }: { readonly code: string; readonly value: unknown; readonly tones: readonly Tone[] }) => {
  const options = useDict(code)
  const key = String(value)
  return <StatusTag tone={tones[Number(value)] ?? 'draft'} text={options.find(option => option.value === key)?.label ?? key} />
}
/** Which second person a due waits for; most wait for none. */
export const WaitsCell = ({ value }: { readonly value: unknown }) => {
  const t = useT(payTexts)
  const known = Object.values(waits).find(one => one === Number(value))
  return known === undefined ? <>-</> : <StatusTag tone="waiting" text={t(`waits.${known}`)} />
}
/** Yuan out of fen; figures of the same width, so that a column can be compared. */
export const moneyCell = (name: string) => (row: Row) =>
  row[name] === null || row[name] === undefined ? '-' : <span className="pay-right">{yuanOf(Number(row[name]))}</span>
