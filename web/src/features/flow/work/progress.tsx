import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { lazyPart } from '#web/kernel/lazy-part.ts'
import { Loaded, PageSkeleton } from '#web/ui/states.tsx'
import type { Tone } from '#web/ui/status-tag.tsx'
import { Timeline, type TimelineEntry } from '#web/ui/timeline.tsx'
import { progressKey } from './progress-key.ts'
import { workTexts } from './texts.ts'
import '../flow.css'

const FlowCanvas = lazyPart(async () => (await import('#web/shell/flow/canvas.tsx')).FlowCanvas)

type Entry = ApiOutput<'GET /blade-flow/process/history-flow-list'>[number]

const toneOf = ({ action, endTime, historyActivityType }: Entry): Tone => {
  if (historyActivityType === 'candidate') return 'waiting'
  if (endTime === '') return 'active'
  if (action === 'reject' || action === 'cancel') return 'refused'
  if (action === 'return' || action === 'withdraw' || action === 'timeout' || action === 'closed') return 'closed'
  return 'passed'
}

const useEntries = (history: readonly Entry[] | undefined): readonly TimelineEntry[] => {
  const t = useT(workTexts)
  return useMemo(() => {
    const nameOf = ({ historyActivityName, taskName, historyActivityType: type }: Entry): string =>
      historyActivityName || taskName || (type === 'startEvent' || type === 'endEvent' ? t(`progress.${type}`) : '')
    return (history ?? []).map(entry => {
      const isOpen = entry.endTime === ''
      const facts = [
        entry.comment === '' ? '' : t('progress.said', { text: entry.comment }),
        entry.historyActivityDurationTime === '' || entry.historyActivityType === 'startEvent'
          ? ''
          : t('progress.took', { time: entry.historyActivityDurationTime }),
        isOpen || entry.endTime === entry.createTime ? '' : t('progress.until', { time: minuteOf(entry.endTime) }),
      ].filter(Boolean)
      return {
        key: entry.id,
        time: entry.createTime,
        tone: toneOf(entry),
        title: (
          <>
            <strong>{nameOf(entry)}</strong> {entry.assigneeName} {entry.actionName}
            {entry.target === '' ? null : ` → ${entry.target}`}
            {entry.historyActivityType === 'candidate' ? t('progress.unclaimed') : isOpen ? t('progress.running') : null}
          </>
        ),
        ...(facts.length === 0 ? {} : { detail: facts.join(' · ') }),
      }
    })
  }, [history, t])
}

/** The picture of a process with what is done and what is under way (S4.09), and beside it who did what when. */
export const Progress = ({ processInstanceId }: { readonly processInstanceId: string }) => {
  const t = useT(workTexts)
  const [broken, setBroken] = useState(false)
  const view = useQuery({
    queryKey: [progressKey, processInstanceId, 'view'],
    queryFn: () => api.call('GET /blade-flow/process/model-view', { processInstanceId }, { quiet: true }),
    staleTime: 0,
  })
  const history = useQuery({
    queryKey: [progressKey, processInstanceId, 'history'],
    queryFn: () => api.call('GET /blade-flow/process/history-flow-list', { processInstanceId }, { quiet: true }),
    staleTime: 0,
  })
  const entries = useEntries(history.data)
  return (
    <div className="flow-progress">
      <section aria-label={t('progress.picture')}>
        <Loaded query={view} skeletonRows={4}>
          {({ xml, flow }) =>
            broken ? (
              <p className="field-error" role="alert">
                {t('progress.broken')}
              </p>
            ) : (
              <Suspense fallback={<PageSkeleton rows={4} />}>
                <FlowCanvas xml={xml} history={flow} onBroken={() => setBroken(true)} />
              </Suspense>
            )
          }
        </Loaded>
      </section>
      <section>
        <h3>{t('progress.history')}</h3>
        <Loaded query={history} skeletonRows={4}>
          {() => <Timeline entries={entries} />}
        </Loaded>
      </section>
    </div>
  )
}
