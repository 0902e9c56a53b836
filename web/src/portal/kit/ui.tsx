import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { portalTexts } from '../texts.ts'
import { Link } from './router.tsx'

export type Tone = 'neutral' | 'active' | 'success' | 'warning' | 'danger'

const join = (...names: readonly (string | false | undefined)[]): string => names.filter(Boolean).join(' ')

interface Look {
  readonly look?: 'primary' | 'danger' | 'text'
  readonly block?: boolean
}
export const buttonClass = ({ look, block }: Look): string => join('p-btn', look && `is-${look}`, block && 'is-block')

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
