import type { ReactNode } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import type { Reading } from '../calls.ts'
import { portalTexts } from '../texts.ts'
import { AlertIcon } from './icons.tsx'
import { Button, Skeleton } from './ui.tsx'

export const Failed = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) => {
  const t = useT(portalTexts)
  return (
    <div className="p-card p-empty" role="alert">
      <AlertIcon size={40} />
      <p className="p-strong">{error instanceof Error && error.message !== '' ? error.message : t('state.failed')}</p>
      <p className="p-small p-dim">{t('state.failedPlain')}</p>
      <Button look="primary" onClick={onRetry}>
        {t('action.retry')}
      </Button>
    </div>
  )
}

/** The three states of a reading call: a skeleton, an error that can be tried again, the data. Data that is there stays on a failed refresh. */
export const Load = <T,>({
  query,
  skeleton,
  children,
}: {
  readonly query: Reading<T>
  readonly skeleton?: readonly number[]
  readonly children: (data: T) => ReactNode
}) => {
  if (query.data !== undefined) return <>{children(query.data)}</>
  if (query.isError) return <Failed error={query.error} onRetry={() => void query.refetch()} />
  return <Skeleton rows={skeleton} />
}
