import { yuanOf } from '#web/kernel/format.ts'
import type { Row } from '#web/resource/fields.ts'
import { useDict } from '#web/resource/use-dict.ts'
import { StatusTag, type Tone } from '#web/ui/status-tag.tsx'

export const StateCell = ({ code, value, tones }: { readonly code: string; readonly value: unknown; readonly tones: readonly Tone[] }) => {
  const options = useDict(code)
  const key = String(value)
  return <StatusTag tone={tones[Number(value)] ?? 'draft'} text={options.find(option => option.value === key)?.label ?? key} />
}
/** Yuan out of fen; figures of the same width, so that a column can be compared. */
export const moneyCell = (name: string) => (row: Row) =>
  row[name] === null || row[name] === undefined ? '-' : <span className="pay-right">{yuanOf(Number(row[name]))}</span>
