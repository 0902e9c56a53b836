import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useId, useState } from 'react'
import { scopeWords } from '#contract/news/words.ts'
import { api } from '#web/kernel/api.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import type { Row } from '#web/resource/fields.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { newsTexts } from './texts.ts'
import './news.css'

const DateInput = lazy(async () => ({ default: (await import('#web/resource/date-input.tsx')).DateInput }))

interface Props {
  readonly row: Row
  readonly of: 'notice' | 'news'
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Publishes now or at a time; what the periods of the law say is shown before. */
export const PublishDialog = ({ row, of, onDone, onClose }: Props) => {
  const t = useT(newsTexts)
  const label = useLabel()
  const fieldId = useId()
  const [at, setAt] = useState<string | null>(typeof row.releaseTime === 'string' ? row.releaseTime : null)
  const move = { id: row.id, event: 'publish', version: Number(row.version), ...(at ? { releaseTime: at } : {}) } as const
  const query = useQuery({
    queryKey: ['notice-warnings', row.id, row.version, at],
    queryFn: ({ signal }) => api.call('POST /blade-desk/notice/changeState', { ...move, dryRun: 1 }, { signal, quiet: true }),
    enabled: of === 'notice',
    staleTime: 0,
  })
  const warnings = query.data?.warnings ?? []
  const run = async (): Promise<boolean> => {
    try {
      if (of === 'notice') await api.call('POST /blade-desk/notice/changeState', move)
      else await api.call('POST /blade-news/news/changeState', move)
    } catch {
      return false // The api client has said why.
    }
    notify('success', t('publish.done'))
    onDone()
    return true
  }
  const scope = of === 'news' ? scopeWords['1'] : scopeWords[String(row.scope)]
  return (
    <ActionDialog title={t('publish')} actions={[{ label: t('publish.anyway'), run }]} onClose={onClose}>
      <p>{t('publish.lead', { title: String(row.title), scope: scope === undefined ? '' : label(scope) })}</p>
      <div className="labelled">
        <label htmlFor={fieldId}>{t('publish.at')}</label>
        <Suspense fallback={<div className="input" />}>
          <DateInput id={fieldId} value={at} onChange={next => setAt(typeof next === 'string' && next !== '' ? next : null)} withTime />
        </Suspense>
      </div>
      <div role="status">
        {warnings.length === 0 ? null : (
          <div className="news-warnings">
            <p>{t('publish.warnings')}</p>
            <ul>
              {warnings.map(({ text }) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </ActionDialog>
  )
}
