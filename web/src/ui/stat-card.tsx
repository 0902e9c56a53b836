import type { ReactNode } from 'react'
import { grouped } from '../kernel/format.ts'

/** One figure with its name; `note` says what it is compared with. Put several into a `StatCards`. */
export const StatCard = ({
  name,
  value,
  note,
}: {
  readonly name: string
  readonly value: number | string | null
  readonly note?: ReactNode
}) => (
  <div className="card stat-card">
    <dt>{name}</dt>
    <dd>{value === null ? '-' : typeof value === 'number' ? grouped(value) : value}</dd>
    {note === undefined ? null : <dd className="stat-note">{note}</dd>}
  </div>
)

export const StatCards = ({ children }: { readonly children: ReactNode }) => <dl className="stat-cards">{children}</dl>
