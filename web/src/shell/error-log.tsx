import { useState } from 'react'
import { api } from '../kernel/api.ts'
import { useErrorLog } from '../kernel/errors.ts'
import { useT } from '../kernel/i18n/index.ts'
import { notify } from '../kernel/notify.ts'
import { writeStored } from '../kernel/storage.ts'
import { Dialog } from '../ui/modal.tsx'
import { EmptyState } from '../ui/states.tsx'
import { shellTexts } from './texts.ts'

const clearErrorLog = (): void => {
  writeStored('errors', null)
  useErrorLog.setState({ entries: [] })
}

/** S2.37: what went wrong in this browser; to the server, or away. */
export const ErrorLogDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useT(shellTexts)
  const { entries } = useErrorLog()
  const [busy, setBusy] = useState(false)
  const upload = async () => {
    setBusy(true)
    try {
      await api.request({ method: 'POST', path: '/blade-auth/oauth/logout', body: entries })
      clearErrorLog()
      notify('success', t('errors.sent'))
    } catch {
      // Said by the api client; the entries stay.
    } finally {
      setBusy(false)
    }
  }
  const clear = () => {
    clearErrorLog()
    notify('success', t('errors.cleared'))
  }
  return (
    <Dialog
      title={t('errors.title')}
      size="three"
      onClose={onClose}
      footer={() => (
        <div className="form-footer">
          <button type="button" className="button" disabled={entries.length === 0 || busy} onClick={clear}>
            {t('errors.clear')}
          </button>
          <button type="button" className="button button-primary" disabled={entries.length === 0 || busy} onClick={() => void upload()}>
            {t('errors.upload')}
          </button>
        </div>
      )}
    >
      {entries.length === 0 ? (
        <EmptyState text={t('errors.none')} />
      ) : (
        <ol className="error-log">
          {entries.toReversed().map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be alike in everything
            <li key={`${entry.time} ${index}`}>
              <p className="error-log-message">{entry.message}</p>
              <dl>
                <dt>{t('errors.type')}</dt>
                <dd>{entry.type}</dd>
                <dt>{t('errors.time')}</dt>
                <dd>{entry.time}</dd>
                <dt>{t('errors.url')}</dt>
                <dd>{entry.url}</dd>
                <dt>{t('errors.info')}</dt>
                <dd>{entry.info.trim() || '-'}</dd>
              </dl>
              <details>
                <summary>{t('errors.stack')}</summary>
                <pre>{entry.stack || '-'}</pre>
              </details>
            </li>
          ))}
        </ol>
      )}
    </Dialog>
  )
}
