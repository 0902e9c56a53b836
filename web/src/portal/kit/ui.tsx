import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link } from 'wouter'
import { useT } from '#web/kernel/i18n/index.ts'
import { portalTexts } from '../texts.ts'
import { AlertIcon, BackIcon, CheckIcon, InboxIcon, InfoIcon } from './icons.tsx'

export type Tone = 'neutral' | 'active' | 'success' | 'warning' | 'danger'

const join = (...names: readonly (string | false | undefined)[]): string => names.filter(Boolean).join(' ')

interface Look {
  readonly look?: 'primary' | 'danger' | 'text'
  readonly block?: boolean
}
const buttonClass = ({ look, block }: Look): string => join('p-btn', look && `is-${look}`, block && 'is-block')

export type ButtonProps = Look & { readonly busy?: boolean } & ButtonHTMLAttributes<HTMLButtonElement>

/** A busy button stays focusable and tells so, and takes no second press. */
export const Button = ({ look, block, busy, children, disabled, type = 'button', onClick, ...rest }: ButtonProps) => (
  <button
    {...rest}
    type={type}
    className={buttonClass({ look, block })}
    disabled={disabled}
    aria-disabled={busy || undefined}
    aria-busy={busy || undefined}
    onClick={busy ? event => event.preventDefault() : onClick}
  >
    {busy && <span className="p-spin" aria-hidden="true" />}
    {children}
  </button>
)

export const ButtonLink = ({ to, look, block, children }: Look & { readonly to: string; readonly children: ReactNode }) => (
  <Link href={to} className={buttonClass({ look, block })}>
    {children}
  </Link>
)

export const Card = ({
  children,
  title,
  more,
}: {
  readonly children: ReactNode
  readonly title?: ReactNode
  readonly more?: ReactNode
}) => (
  <section className="p-card p-stack">
    {title !== undefined && (
      <div className="p-row-between">
        <h2>{title}</h2>
        {more}
      </div>
    )}
    {children}
  </section>
)

const toneIcon = { neutral: InfoIcon, active: InfoIcon, success: CheckIcon, warning: AlertIcon, danger: AlertIcon } as const

export const Tag = ({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span className={`p-tag is-${tone}`}>{children}</span>
)

export const Callout = ({
  tone = 'neutral',
  live,
  children,
}: {
  readonly tone?: Tone
  /** Read out when it appears. */
  readonly live?: boolean
  readonly children: ReactNode
}) => {
  const Icon = toneIcon[tone]
  return (
    <div className={`p-callout is-${tone}`} role={live ? (tone === 'danger' ? 'alert' : 'status') : undefined}>
      <Icon size={20} />
      <div>{children}</div>
    </div>
  )
}

export const PageTitle = ({ title, back, side }: { readonly title: ReactNode; readonly back?: string; readonly side?: ReactNode }) => {
  const t = useT(portalTexts)
  return (
    <div className="p-title">
      {back !== undefined && (
        <Link href={back} className="p-back" aria-label={t('nav.back')}>
          <BackIcon />
        </Link>
      )}
      <h1 tabIndex={-1}>{title}</h1>
      {side}
    </div>
  )
}

export const SectionHead = ({ title, side }: { readonly title: ReactNode; readonly side?: ReactNode }) => (
  <div className="p-section-head">
    <h2>{title}</h2>
    {side}
  </div>
)

export interface Fact {
  readonly name: ReactNode
  readonly value: ReactNode
}

/** Name and value pairs; a pair without a value is left out. */
export const Facts = ({ facts }: { readonly facts: readonly (Fact | false | null | undefined)[] }) => (
  <dl className="p-dl">
    {facts.map((fact, index) =>
      !fact || fact.value === null || fact.value === undefined || fact.value === '' || fact.value === false ? null : (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list, never re-ordered
        <FactPair key={index} fact={fact} />
      ),
    )}
  </dl>
)
const FactPair = ({ fact }: { readonly fact: Fact }) => (
  <>
    <dt>{fact.name}</dt>
    <dd>{fact.value}</dd>
  </>
)

export const Empty = ({ text, hint, children }: { readonly text: ReactNode; readonly hint?: ReactNode; readonly children?: ReactNode }) => (
  <div className="p-card p-empty">
    <InboxIcon size={40} />
    <p className="p-strong">{text}</p>
    {hint !== undefined && <p className="p-small p-dim">{hint}</p>}
    {children}
  </div>
)

/** Grey blocks in the shape of what comes: numbers are heights in pixels. */
export const Skeleton = ({ rows = [120, 120, 120] }: { readonly rows?: readonly number[] }) => {
  const t = useT(portalTexts)
  return (
    <div className="p-stack" aria-busy="true">
      <span className="p-hidden" role="status">
        {t('state.loading')}
      </span>
      {rows.map((height, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list, never re-ordered
        <div key={index} className="p-skel" style={{ height }} />
      ))}
    </div>
  )
}

export const Progress = ({ percent, label }: { readonly percent: number; readonly label: string }) => (
  <div
    className="p-progress"
    role="progressbar"
    aria-label={label}
    aria-valuenow={Math.round(percent)}
    aria-valuemin={0}
    aria-valuemax={100}
  >
    <i style={{ width: `${percent}%` }} />
  </div>
)
