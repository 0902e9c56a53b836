import type { ReactNode } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { uiTexts } from './texts.ts'

const Sign = ({ d }: { readonly d: string }) => (
  <svg
    width="44"
    height="44"
    viewBox="0 0 44 44"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={d} />
  </svg>
)

/** Nothing to show: a sentence, and the next thing to do where there is one. */
export const EmptyState = ({ text, action }: { readonly text?: string; readonly action?: ReactNode }) => {
  const t = useT(uiTexts)
  return (
    <div className="state">
      <Sign d="M6 24 12 8h20l6 16v12H6zM6 24h9c1 4 3 6 7 6s6-2 7-6h9" />
      <p>{text ?? t('state.empty')}</p>
      {action}
    </div>
  )
}

export const FailedState = ({ text, onRetry }: { readonly text?: string | undefined; readonly onRetry: () => void }) => {
  const t = useT(uiTexts)
  return (
    <div className="state" role="alert">
      <Sign d="M22 6a16 16 0 1 1 0 32 16 16 0 0 1 0-32Zm0 8v10m0 6v.2" />
      <p className="state-title">{t('state.failed')}</p>
      <p>{text ?? t('state.failed.detail')}</p>
      <button type="button" className="button" onClick={onRetry}>
        {t('action.retry')}
      </button>
    </div>
  )
}

/** No permission: says whom to ask. @param inside - a part of a page that has its own title */
export const Forbidden = ({ inside = false }: { readonly inside?: boolean }) => {
  const t = useT(uiTexts)
  return (
    <div className="state">
      <Sign d="M12 20h20v16H12zM16 20v-5a6 6 0 0 1 12 0v5M22 26v4" />
      {inside ? <h2 className="state-title">{t('state.forbidden')}</h2> : <h1 className="state-title">{t('state.forbidden')}</h1>}
      <p>{t('state.forbidden.detail')}</p>
    </div>
  )
}

/** The shape of a list page while its program or rows are on the way. */
export const PageSkeleton = ({ rows = 8 }: { readonly rows?: number }) => {
  const t = useT(uiTexts)
  return (
    <div className="card skeleton" role="status" aria-label={t('state.loading')}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a skeleton have no identity
        <i key={index} />
      ))}
    </div>
  )
}

interface LoadOf<T> {
  readonly data: T | undefined
  readonly isError: boolean
  readonly error: unknown
  readonly refetch: () => unknown
}

/** The three states of a query around what is drawn from its data. */
export const Loaded = <T,>({
  query,
  children,
  skeletonRows,
}: {
  readonly query: LoadOf<T>
  readonly children: (data: T) => ReactNode
  readonly skeletonRows?: number
}) => {
  if (query.data !== undefined) return children(query.data)
  if (query.isError)
    return <FailedState text={query.error instanceof Error ? query.error.message : undefined} onRetry={() => void query.refetch()} />
  return <PageSkeleton {...(skeletonRows === undefined ? {} : { rows: skeletonRows })} />
}
