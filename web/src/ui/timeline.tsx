import type { ReactNode } from 'react'
import type { Tone } from './status-tag.tsx'

export interface TimelineEntry {
  readonly key: string
  /** As it arrives, `yyyy-MM-dd HH:mm:ss`. */
  readonly time: string
  readonly title: ReactNode
  readonly detail?: ReactNode
  readonly tone?: Tone
}

/** What happened, newest first or as the caller orders it. */
export const Timeline = ({ entries }: { readonly entries: readonly TimelineEntry[] }) => (
  <ol className="timeline">
    {entries.map(entry => (
      <li key={entry.key} data-tone={entry.tone}>
        <div>{entry.title}</div>
        {entry.detail === undefined ? null : <div>{entry.detail}</div>}
        <time dateTime={entry.time.replace(' ', 'T')}>{entry.time}</time>
      </li>
    ))}
  </ol>
)
