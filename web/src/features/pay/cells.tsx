import { yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import type { Row } from '#web/resource/fields.ts'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { waits } from './due-rules.ts'
import { payTexts } from './texts.ts'

/** Which second person a due waits for; most wait for none. */
export const WaitsCell = ({ value }: { readonly value: unknown }) => {
  const t = useT(payTexts)
  const known = Object.values(waits).find(one => one === Number(value))
  return known === undefined ? <>-</> : <StatusTag tone="waiting" text={t(`waits.${known}`)} />
}
/** Yuan out of fen; figures of the same width, so that a column can be compared. */
export const moneyCell = (name: string) => (row: Row) =>
  row[name] === null || row[name] === undefined ? '-' : <span className="pay-right">{yuanOf(Number(row[name]))}</span>
