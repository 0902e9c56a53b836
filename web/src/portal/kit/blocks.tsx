import type { ReactNode } from 'react'
import { InboxIcon } from './icons.tsx'
import type { Tone } from './ui.tsx'

export const Tag = ({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span className={`p-tag is-${tone}`}>{children}</span>
)

export const SectionHead = ({ title, side }: { readonly title: ReactNode; readonly side?: ReactNode }) => (
  <div className="p-section-head">
    <h2>{title}</h2>
    {side}
  </div>
)

export const Empty = ({ text, hint, children }: { readonly text: ReactNode; readonly hint?: ReactNode; readonly children?: ReactNode }) => (
  <div className="p-card p-empty">
    <InboxIcon size={40} />
    <p className="p-strong">{text}</p>
    {hint !== undefined && <p className="p-small p-dim">{hint}</p>}
    {children}
  </div>
)
