import { type ReactNode, useEffect, useRef } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { laterTexts } from '../later-texts.ts'
import { AlertIcon } from './icons.tsx'
import { BackIcon, CheckIcon, InfoIcon } from './page-icons.tsx'
import { Link } from './router.tsx'
import type { Tone } from './ui.tsx'

const toneIcon = { neutral: InfoIcon, active: InfoIcon, success: CheckIcon, warning: AlertIcon, danger: AlertIcon } as const

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

/** S1.07: what a page is called is its window's title too. */
export const PageTitle = ({ title, back, side }: { readonly title: ReactNode; readonly back?: string; readonly side?: ReactNode }) => {
  const t = useT(laterTexts)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = heading.current?.textContent ?? ''
  })
  return (
    <div className="p-title">
      {back !== undefined && (
        <Link href={back} className="p-back" aria-label={t('nav.back')}>
          <BackIcon />
        </Link>
      )}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {side}
    </div>
  )
}

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
