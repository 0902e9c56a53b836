import type { ReactNode } from 'react'
import { WithDates } from '../kernel/with-dates.tsx'

/** Names and values to read, not to change. */
export const Facts = ({
  items,
  boxed = false,
}: {
  /** On a ground of its own, on top of a form about them. */
  readonly boxed?: boolean
  readonly items: readonly { readonly key: string; readonly label: string; readonly value: ReactNode }[]
}) => (
  <dl className="facts" data-boxed={boxed}>
    {items.map(item => (
      <div key={item.key}>
        <dt>{item.label}</dt>
        <dd>
          {item.value === '' || item.value === null || item.value === undefined ? (
            '-'
          ) : typeof item.value === 'string' ? (
            <WithDates text={item.value} />
          ) : (
            item.value
          )}
        </dd>
      </div>
    ))}
  </dl>
)
