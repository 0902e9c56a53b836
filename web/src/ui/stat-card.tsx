import type { ReactNode } from 'react'
import { grouped } from '../kernel/format.ts'

/** One figure with its name; `means` says what is counted, `note` what it is compared with. Put several into a `StatCards`. */
export const StatCard = ({
  name,
  value,
  means,
  note,
}: {
  readonly name: string
  readonly value: number | string | null
  readonly means?: string
  readonly note?: ReactNode
}) => (
  <div className="card stat-card">
    <dt>{name}</dt>
    <dd>{value === null ? '-' : typeof value === 'number' ? grouped(value) : value}</dd>
    {means === undefined ? null : <dd className="stat-note">{means}</dd>}
    {note === undefined ? null : <dd className="stat-note">{note}</dd>}
  </div>
)

export const StatCards = ({ children }: { readonly children: ReactNode }) => <dl className="stat-cards">{children}</dl>
