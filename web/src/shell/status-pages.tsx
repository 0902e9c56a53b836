import { useEffect } from 'react'
import { allowReload, ChunkLoadError } from '../kernel/chunk.ts'
import { useT } from '../kernel/i18n/index.ts'
import { shellTexts } from './texts.ts'
import './status.css'

/** S2.03 */
export const StatusPage = ({ status }: { readonly status: 403 | 404 | 500 }) => {
  const t = useT(shellTexts)
  const title = t(`status.${status}`)
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <main className="status-page">
      <p className="status-number" aria-hidden="true">
        {status}
      </p>
      <h1>{title}</h1>
      <p>{t(`status.${status}.detail`)}</p>
      <a className="status-home" href="/">
        {t('status.home')}
      </a>
    </main>
  )
}

interface CrashProps {
  readonly error: unknown
  readonly onRetry: () => void
  readonly inside?: boolean
}

/** Drawn instead of a part that failed. What did not come is a matter of the line, not of the administrator (S8.13). */
export const CrashPage = ({ error, onRetry, inside }: CrashProps) => {
  const t = useT(shellTexts)
  const Frame = inside ? 'div' : 'main'
  const isChunk = error instanceof ChunkLoadError
  const tryAgain = () => {
    if (isChunk) allowReload()
    onRetry()
  }
  return (
    <Frame className="status-page" role="alert">
      <h1>{t('error.page')}</h1>
      <p>{t(isChunk ? 'error.chunk' : 'error.page.detail')}</p>
      <button type="button" className="button button-primary" onClick={tryAgain}>
        {t('action.retry')}
      </button>
    </Frame>
  )
}
