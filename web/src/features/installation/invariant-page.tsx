import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type InvariantLine, type InvariantRun, runStates } from '#contract/installation/invariant.routes.ts'
import { api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { NavLink } from '#web/shell/nav-link.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { FailedState, PageSkeleton } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { installationTexts } from './texts.ts'
import './installation.css'

const key = ['invariants'] as const
const pollMs = 1_500
const shownRows = 50

const Rows = ({ name, isAll }: { readonly name: string; readonly isAll: boolean }) => {
  const t = useT(installationTexts)
  const { data, isError, refetch } = useQuery({
    queryKey: [...key, 'rows', name],
    queryFn: ({ signal }) => api.call('GET /blade-system/invariant/findings', { name, size: shownRows }, { signal, quiet: true }),
  })
  if (isError && data === undefined) return <FailedState onRetry={() => void refetch()} />
  if (data === undefined) return <PageSkeleton rows={2} />
  const hidden = data.total - data.records.length
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="plain-table" aria-label={t('rows')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {isAll ? <th scope="col">{t('col.tenant')}</th> : null}
              <th scope="col">{t('col.row')}</th>
              <th scope="col">{t('col.found')}</th>
              <th scope="col">{t('col.expected')}</th>
              <th scope="col">{t('col.since')}</th>
            </tr>
          </thead>
          <tbody>
            {data.records.map(row => (
              <tr key={row.id}>
                {isAll ? <td>{row.tenantName}</td> : null}
                <td>
                  {row.link === '' ? row.rowName : <NavLink to={row.link}>{row.rowName}</NavLink>}
                  <span className="invariant-id">{row.rowId === row.rowName ? '' : row.rowId}</span>
                </td>
                <td>{row.found}</td>
                <td>{row.expected}</td>
                <td>{minuteOf(row.firstTime)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {hidden > 0 ? <p className="invariant-quiet">{t('moreRows', { count: hidden })}</p> : null}
    </>
  )
}

const State = ({ line }: { readonly line: InvariantLine }) => {
  const t = useT(installationTexts)
  if (line.problem !== '') return <StatusTag tone="waiting" text={t('unknown')} />
  if (line.checkTime === '') return <StatusTag tone="draft" text={t('notYet')} />
  if (line.found === 0) return <StatusTag tone="passed" text={t('ok')} />
  return <StatusTag tone="refused" text={t(line.isMore ? 'more' : 'bad', { count: line.found })} />
}

const Line = ({
  line,
  isAll,
  reload,
}: {
  readonly line: InvariantLine
  readonly isAll: boolean
  readonly reload: () => Promise<unknown>
}) => {
  const t = useT(installationTexts)
  const can = useCan()
  const [isOpen, setOpen] = useState(false)
  const heal = async () => {
    const text = t('heal.ask', { what: line.label, how: line.healer, count: line.found })
    if (!(await confirm({ title: t('heal'), text, ok: t('heal') }))) return
    try {
      const { healed, left } = await api.call('POST /blade-system/invariant/heal', { name: line.name })
      notify(left === 0 ? 'success' : 'warning', t('healed', { healed, left }))
    } catch {
      // The api client has said why.
    }
    await reload()
  }
  return (
    <li className="card">
      <div className="invariant-head">
        <h2>{line.label}</h2>
        <State line={line} />
        <code>{line.name}</code>
      </div>
      <p>{line.means}</p>
      {line.problem === '' ? null : <p className="field-error">{line.problem}</p>}
      <p className="invariant-quiet">{line.checkTime === '' ? '' : t('checked', { time: minuteOf(line.checkTime), ms: line.tookMs })}</p>
      {line.found === 0 ? null : (
        <>
          {line.healer === '' ? <p>{t('paper', { name: line.name })}</p> : null}
          <div className="invariant-actions">
            <button type="button" className="button" aria-expanded={isOpen} onClick={() => setOpen(open => !open)}>
              {t(isOpen ? 'hide' : 'rows')}
            </button>
            {line.healer !== '' && can('invariant_heal') ? (
              <button type="button" className="button button-primary" onClick={() => void heal()}>
                {t('heal.how', { how: line.healer })}
              </button>
            ) : null}
          </div>
          {isOpen ? <Rows name={line.name} isAll={isAll} /> : null}
        </>
      )}
    </li>
  )
}

const LastRun = ({ run }: { readonly run: InvariantRun | null }) => {
  const t = useT(installationTexts)
  if (run === null) return <p className="invariant-quiet">{t('never')}</p>
  const values = { time: minuteOf(run.endTime ?? run.startTime), found: run.found, done: run.done, total: run.total, problem: run.problem }
  const words = run.state === runStates.done ? 'last.2' : run.state === runStates.stopped ? 'last.3' : 'last.4'
  return (
    <p className={run.state === runStates.failed ? 'field-error' : 'invariant-quiet'} role="status">
      {t(words, values)}
    </p>
  )
}

/** What should be true of all data, whether it is, and what to do where it is not. */
export const Page = () => {
  const t = useT(installationTexts)
  const can = useCan()
  const client = useQueryClient()
  const [onlyBad, setOnlyBad] = useState(false)
  const { data, isError, error, refetch } = useQuery({
    queryKey: [...key, 'list'],
    queryFn: ({ signal }) => api.call('GET /blade-system/invariant/list', {}, { signal, quiet: true }),
    refetchInterval: query => (query.state.data?.run?.state === runStates.running ? pollMs : false),
  })
  if (isError && data === undefined) return <FailedState text={error.message} onRetry={() => void refetch()} />
  if (data === undefined) return <PageSkeleton />
  const { lines, run, isAll } = data
  const reload = () => client.invalidateQueries({ queryKey: key })
  const order = async (call: 'POST /blade-system/invariant/run' | 'POST /blade-system/invariant/stop', said: string) => {
    try {
      await api.call(call, {})
      notify('success', said)
    } catch {
      // The api client has said why.
    }
    await reload()
  }
  const isGoing = run?.state === runStates.running
  const bad = lines.filter(({ found, problem }) => found > 0 || problem !== '')
  // What needs somebody comes first.
  const shown = onlyBad ? bad : [...bad, ...lines.filter(line => !bad.includes(line))]
  const percent = run === null || run.total === 0 ? 0 : Math.min(100, Math.round((run.done / run.total) * 100))
  return (
    <div className="invariants">
      <h1>{t('title')}</h1>
      <p className="page-lead">{t('lead')}</p>
      <section className="card invariant-run" aria-label={t('run')}>
        {isGoing && run !== null ? (
          <ProgressBar
            percent={percent}
            text={run.total === 0 ? t('waits') : t('going', { done: run.done, total: run.total, found: run.found })}
            label={t('run')}
          >
            {can('invariant_run') ? (
              <button type="button" className="link-button" onClick={() => void order('POST /blade-system/invariant/stop', t('stopped'))}>
                {t('stop')}
              </button>
            ) : null}
          </ProgressBar>
        ) : (
          <div className="invariant-actions">
            <LastRun run={run} />
            {can('invariant_run') ? (
              <button
                type="button"
                className="button button-primary"
                onClick={() => void order('POST /blade-system/invariant/run', t('started'))}
              >
                {t('run')}
              </button>
            ) : null}
          </div>
        )}
        <label className="invariant-only">
          <input type="checkbox" checked={onlyBad} onChange={event => setOnlyBad(event.target.checked)} />
          {t('onlyBad')}
        </label>
      </section>
      {shown.length === 0 ? <p>{t('allOk')}</p> : null}
      <ul>
        {shown.map(line => (
          <Line key={line.name} line={line} isAll={isAll} reload={reload} />
        ))}
      </ul>
    </div>
  )
}
