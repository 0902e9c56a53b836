import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { formatInstant } from '#contract/exam/window.ts'
import { scopeWords } from '#contract/news/words.ts'
import { api } from '#web/kernel/api.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import type { Row } from '#web/resource/fields.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Labelled } from '#web/ui/labelled.tsx'
import { millisecondsOf } from './is-out.ts'
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
  const [refused, setRefused] = useState<string | undefined>(undefined)
  const [at, setAt] = useState<string | null>(typeof row.releaseTime === 'string' ? row.releaseTime : null)
  const move = { id: row.id, event: 'publish', version: Number(row.version), releaseTime: at ?? formatInstant(serverNow()) } as const
  const isPast = at !== null && millisecondsOf(at) < serverNow() - 60_000
  const query = useQuery({
    // Asked again for another time alone: without one it is the moment of asking.
    queryKey: ['notice-warnings', row.id, row.version, at],
    queryFn: ({ signal }) => api.call('POST /blade-desk/notice/changeState', { ...move, dryRun: 1 }, { signal, quiet: true }),
    enabled: of === 'notice' && !isPast,
    retry: false,
    staleTime: 0,
  })
  const warnings = query.data?.warnings ?? []
  const wrong = isPast ? t('publish.past') : (refused ?? fieldTexts(query.error)['releaseTime'])
  const run = async (): Promise<boolean> => {
    if (isPast) return false
    try {
      const { releaseTime } =
        of === 'notice'
          ? await api.call('POST /blade-desk/notice/changeState', move, { quiet: 'fields' })
          : await api.call('POST /blade-news/news/changeState', move, { quiet: 'fields' })
      const isLater = releaseTime !== null && millisecondsOf(releaseTime) > serverNow() + 1_000
      notify('success', isLater ? t('publish.scheduled', { time: minuteOf(releaseTime) }) : t('publish.done'))
    } catch (error) {
      setRefused(Object.values(fieldTexts(error))[0]) // Without fields the api client has said why.
      return false
    }
    onDone()
    return true
  }
  const scope = of === 'news' ? scopeWords['1'] : scopeWords[String(row.scope)]
  return (
    <ActionDialog title={t('publish')} actions={[{ label: t('publish.anyway'), run }]} onClose={onClose}>
      <p>{t('publish.lead', { title: String(row.title), scope: scope === undefined ? '' : label(scope) })}</p>
      <Labelled label={t('publish.at')} error={wrong}>
        {(id, described) => (
          <Suspense fallback={<div className="input" />}>
            <DateInput
              id={id}
              {...described}
              value={at}
              onChange={next => {
                setRefused(undefined)
                setAt(typeof next === 'string' && next !== '' ? next : null)
              }}
              withTime
            />
          </Suspense>
        )}
      </Labelled>
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
