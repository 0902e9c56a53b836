import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { measureLabels, placeOfMeasure } from '#contract/oversight/measure.ts'
import { api } from '#web/kernel/api.ts'
import { grouped, minuteOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { callKey } from '#web/kernel/query.ts'
import { NavLink } from '#web/shell/nav-link.tsx'
import { ActionDialog, type DialogAction } from '#web/ui/action-dialog.tsx'
import { Chart } from '#web/ui/chart.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { Timeline } from '#web/ui/timeline.tsx'
import { AlertState, useWho } from './alert-words.tsx'
import { watchTexts } from './texts.ts'
import { type AlertDetail, codeOfLines, isOpen, linesOf } from './wire.ts'
import './watch.css'
import { useSaid } from '#web/kernel/said.ts'

interface Props {
  readonly id: string
  readonly onClose: () => void
  /** Asks for the rows anew. */
  readonly onDone: () => void
}
const detailRoute = 'GET /blade-watch/alert/detail'
const chartHeightPx = 200

const Lines = ({ alert }: { readonly alert: AlertDetail }) => {
  const t = useT(watchTexts)
  const can = useCan()
  const place = placeOfMeasure(alert.measure)
  return can(codeOfLines[place]) ? <NavLink to={linesOf(alert)}>{t(`alert.lines.${place}`)}</NavLink> : t('alert.lines.none')
}

const What = ({ alert }: { readonly alert: AlertDetail }) => {
  const t = useT(watchTexts)
  const label = useLabel()
  const who = useWho()
  const measure = label(measureLabels[alert.measure])
  return (
    <>
      <Facts
        boxed
        items={[
          { key: 'who', label: t('alert.who'), value: alert.subject === 'person' ? `${who(alert)} ${alert.account}` : who(alert) },
          { key: 'rule', label: t('alert.rule'), value: alert.ruleName },
          { key: 'what', label: t('alert.what'), value: alert.isOffHours ? `${measure} (${t('alert.off')})` : measure },
          {
            key: 'window',
            label: t('alert.window'),
            value: t('alert.window.value', { from: minuteOf(alert.windowStart), to: minuteOf(alert.windowEnd) }),
          },
          { key: 'amount', label: t('alert.amount'), value: <strong>{grouped(alert.amount)}</strong> },
          { key: 'limit', label: t('alert.limit'), value: grouped(alert.limit) },
          { key: 'usual', label: t('alert.usual'), value: `${grouped(alert.usual)} (${t('alert.usual.how')})` },
          { key: 'state', label: t('alert.state'), value: <AlertState state={alert.state} /> },
          ...(alert.stoppedTime === null
            ? []
            : [{ key: 'stopped', label: t('alert.stopped'), value: t('alert.stopped.since', { time: alert.stoppedTime }) }]),
          { key: 'lines', label: t('alert.lines'), value: <Lines alert={alert} /> },
        ]}
      />
      <Chart
        title={t(`alert.chart.${alert.span}`)}
        heightPx={chartHeightPx}
        data={{
          kind: 'bar',
          categories: alert.series.map(({ at }) => (alert.span === 'hour' ? at.slice(11, 16) : at.slice(5, 10))),
          series: [{ name: measure, values: alert.series.map(({ amount }) => amount) }],
        }}
      />
      <h3>{t('alert.steps')}</h3>
      <Timeline
        entries={alert.steps.map(step => ({
          key: step.id,
          time: step.time,
          title: step.by === '' ? t(`alert.step.${step.event}`) : `${t(`alert.step.${step.event}`)} · ${step.by}`,
          ...(step.words === '' ? {} : { detail: step.words }),
        }))}
      />
    </>
  )
}

/** One alert: what was counted against what is usual, the lines in question, what was done, and the decision while it is open. */
export const AlertDialog = ({ id, onClose, onDone }: Props) => {
  const t = useT(watchTexts)
  const client = useQueryClient()
  const [words, setWords] = useState('')
  const [wrong, setWrong] = useSaid<string | undefined>(undefined)
  const detail = useQuery({
    queryKey: callKey(detailRoute, { id }),
    queryFn: ({ signal }) => api.call(detailRoute, { id }, { signal, quiet: true }),
    staleTime: 0,
    gcTime: 0,
  })
  const alert = detail.data
  const mayHandle = alert?.mayHandle === true && isOpen(alert)
  const send = async (call: () => Promise<unknown>): Promise<boolean> => {
    try {
      await call()
      notify('success', t('alert.done'))
      onDone()
      void client.invalidateQueries({ queryKey: ['GET /me/home'] })
      return true
    } catch {
      void detail.refetch()
      return false
    }
  }
  const close = (outcome: 'finding' | 'falseAlarm') => async (): Promise<boolean> => {
    const text = words.trim()
    setWrong(text === '' ? t('alert.words.need') : undefined)
    if (text === '') return false
    return send(() => api.call('POST /blade-watch/alert/close', { id, outcome, words: text, version: alert?.version ?? 0 }))
  }
  const take = (): Promise<boolean> =>
    send(() => api.call('POST /blade-watch/alert/take', { id, words: words.trim(), version: alert?.version ?? 0 }))
  const actions: readonly DialogAction[] = [
    { label: t('alert.dismiss'), tone: 'plain', run: close('falseAlarm') },
    { label: t('alert.find'), tone: 'danger', run: close('finding') },
    ...(alert?.state === 0 ? [{ label: t('alert.take'), tone: 'primary' as const, run: take }] : []),
  ]
  return (
    <ActionDialog title={t('alert.title')} size="two" {...(mayHandle ? { actions, hasChanges: () => words !== '' } : {})} onClose={onClose}>
      <Loaded query={detail} skeletonRows={8}>
        {of => (
          <div className="alert-detail">
            <What alert={of} />
            {isOpen(of) && !of.mayHandle && of.roleAlias !== '' ? <p>{t('alert.ownRole')}</p> : null}
            {mayHandle ? (
              <LabelledInput label={t('alert.words')} error={wrong} maxLength={500} rows={3} value={words} onChange={setWords} />
            ) : null}
          </div>
        )}
      </Loaded>
    </ActionDialog>
  )
}
