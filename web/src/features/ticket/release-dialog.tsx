import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { endMinuteOf, minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { Check } from '#web/ui/labelled.tsx'
import { Dialog } from '#web/ui/modal.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import type { PaperRow, Rendering } from './calls.ts'
import { LeftOut } from './left-out.tsx'
import { ticketTexts } from './texts.ts'
import './ticket.css'

const pollMs = 1_000
/** Rendering states of the wire. */
const running = 0
const ended = 1
/** Number of domain 3.2 `itemType`: interviews have tickets of their own. */
const interview = 2
const renderingKey = (examId: string, type: number): readonly unknown[] => ['ticket-rendering', examId, type]

const Progress = ({ of }: { readonly of: Rendering }) => {
  const t = useT(ticketTexts)
  const percent = of.total === 0 ? 0 : Math.round((100 * (of.done + of.failed)) / of.total)
  const text = t('release.progress', { done: of.done, total: of.total })
  return <ProgressBar percent={percent} text={text} />
}

const Problems = ({ of }: { readonly of: Rendering }) => {
  const t = useT(ticketTexts)
  return (
    <>
      <div className="ticket-alert">
        <strong>{t('release.problems', { count: of.problems.length })}</strong>
        <p>{t('release.problems.note')}</p>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="plain-table" aria-label={t('release.problems', { count: of.problems.length })} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('release.name')}</th>
              <th scope="col">{t('release.reason')}</th>
            </tr>
          </thead>
          <tbody>
            {of.problems.map(problem => (
              <tr key={`${problem.signUpId} ${problem.reason}`}>
                <td>{problem.name}</td>
                <td>{problem.reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

type Facts = NonNullable<ApiOutput<'POST /blade-exam/examination/releaseTickets'>['facts']>

/** What the release does, and what is still open: read before the button, because a ticket in somebody's hand is hard to take back. */
const FactsOf = ({ of }: { readonly of: Facts }) => {
  const t = useT(ticketTexts)
  const warnings = [
    ...of.openWindows.map(({ window, end }) => t(`release.open.${window}`, { end: endMinuteOf(end) })),
    ...(of.pending > 0 ? [t('release.pending', { count: of.pending })] : []),
    ...(of.reductions > 0 ? [t('release.reductions', { count: of.reductions })] : []),
  ]
  return (
    <>
      <p>{t('release.who', { people: of.people, tickets: of.tickets })}</p>
      <p>
        {of.downloadBegin === null
          ? t('release.downloadNow')
          : t('release.download', {
              begin: minuteOf(of.downloadBegin),
              end: of.downloadEnd === null ? t('release.untilStart') : endMinuteOf(of.downloadEnd),
            })}
      </p>
      <p>{t('release.back')}</p>
      <LeftOut people={of.leftOut} />
      {warnings.length === 0 ? null : (
        <div className="ticket-alert">
          <strong>{t('release.warn')}</strong>
          <ul>
            {warnings.map(text => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

/** The release of papers: pages are made in the background with progress, then everything goes out at once (domain 5.2). */
export const ReleaseDialog = ({
  examId,
  papers,
  onClose,
  onDone,
}: {
  readonly examId: string
  readonly papers: readonly PaperRow[]
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const t = useT(ticketTexts)
  const client = useQueryClient()
  const itemIds = papers.map(paper => paper.itemId).join(',')
  const type = papers.every(paper => paper.itemType !== interview) ? 1 : 2
  const [sms, setSms] = useState(false)
  const [started, setStarted] = useState(false)
  const [busy, setBusy] = useState(false)
  const finishing = useRef(false)
  const progress = useQuery({
    queryKey: renderingKey(examId, type),
    queryFn: ({ signal }) => api.call('GET /blade-exam/examination/releaseProgress', { examId, type }, { signal, quiet: true }),
    refetchInterval: query => (started || query.state.data?.state === running ? pollMs : false),
    staleTime: 0,
    gcTime: 0,
  })
  const { refetch } = progress
  const facts = useQuery({
    queryKey: ['ticket-release-facts', examId, itemIds],
    queryFn: async ({ signal }) =>
      (await api.call('POST /blade-exam/examination/releaseTickets', { examId, itemIds, state: 1, dryRun: 1 }, { signal })).facts ?? null,
    staleTime: 0,
    gcTime: 0,
  })
  const made = papers.reduce((sum, paper) => sum + (paper.generated ?? 0), 0)
  const rendering = progress.data ?? null
  const isRunning = rendering?.state === running
  const run = useCallback(
    async (force: boolean) => {
      setBusy(true)
      try {
        const answer = await api.call('POST /blade-exam/examination/releaseTickets', {
          examId,
          itemIds,
          state: 1,
          ...(force ? { force: 1 as const } : {}),
          whenReady: 1,
          ...(sms ? { sms: 1 as const } : {}),
        })
        if (answer.step === 'released') {
          // The server may have been quicker: it releases by itself when the pages are there.
          notify('success', t('release.done', { count: answer.changed > 0 ? answer.changed : made }))
          onDone()
          onClose()
          return
        }
        // What it says now is the new run: an older one that has ended must not be taken for it.
        client.setQueryData(renderingKey(examId, type), answer.progress)
        setStarted(true)
      } catch {
        setStarted(false) // The api client has said why.
        await refetch()
      } finally {
        setBusy(false)
      }
    },
    [examId, itemIds, type, sms, made, client, refetch, onDone, onClose, t],
  )
  // Somebody who comes back while the pages are being made sees how it ends.
  useEffect(() => {
    if (isRunning) setStarted(true)
  }, [isRunning])
  // The pages are ready: what the person asked for goes on by itself, unless some of them cannot be printed.
  useEffect(() => {
    if (!started || rendering === null || rendering.state === running || finishing.current) return
    setStarted(false)
    if (rendering.state !== ended || rendering.failed > 0 || rendering.problems.length > 0) return
    finishing.current = true
    void run(false).finally(() => {
      finishing.current = false
    })
  }, [started, rendering, run])
  const cancel = async () => {
    if (rendering?.renderId == null) return
    setBusy(true)
    const done = await api
      .call('POST /blade-exam/examination/cancelTicketRender', { renderId: rendering.renderId })
      .then(() => true)
      .catch(() => false)
    setStarted(false)
    if (done) notify('info', t('release.cancelled'))
    await refetch()
    setBusy(false)
  }
  const hasProblems = !isRunning && rendering !== null && rendering.problems.length > 0
  return (
    <Dialog
      title={t('release.title')}
      size="two"
      onClose={onClose}
      footer={close => (
        <div className="form-footer">
          <button type="button" className="button" onClick={close}>
            {t('action.close')}
          </button>
          {isRunning ? (
            <button type="button" className="button button-danger" disabled={busy} onClick={() => void cancel()}>
              {t('release.cancel')}
            </button>
          ) : (
            <>
              {hasProblems ? (
                <button type="button" className="button" disabled={busy} onClick={() => void run(true)}>
                  {t('release.others')}
                </button>
              ) : null}
              <button type="button" className="button button-primary" disabled={busy || started} onClick={() => void run(false)}>
                {t(hasProblems ? 'release.again' : 'release.start')}
              </button>
            </>
          )}
        </div>
      )}
    >
      <div className="dialog-body">
        {facts.data == null || isRunning ? null : <FactsOf of={facts.data} />}
        <p>{t('release.lead', { names: papers.map(paper => paper.itemName).join(' / ') })}</p>
        {isRunning ? (
          <>
            <Progress of={rendering} />
            <p className="dialog-lead">{t('release.background')}</p>
          </>
        ) : (
          <Check label={t('release.sms')} on={sms} onChange={setSms} />
        )}
        {hasProblems ? <Problems of={rendering} /> : null}
      </div>
    </Dialog>
  )
}
