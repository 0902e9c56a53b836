import { lazy, Suspense, useEffect, useState } from 'react'
import { endBeside } from '#contract/kernel/when.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { endMinuteOf, epochOf, minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { RichText } from '#web/kernel/rich-text.tsx'
import { useSaid } from '#web/kernel/said.ts'
import { saveFile } from '#web/kernel/save-file.ts'
import { useRead } from '../calls.ts'
import { refresh } from '../data/answers.ts'
import { Empty } from '../kit/blocks.tsx'
import { Card } from '../kit/card.tsx'
import { ExamChoice } from '../kit/exam-choice.tsx'
import { InAppNote } from '../kit/in-app-note.tsx'
import { Load } from '../kit/load.tsx'
import { DownloadIcon, FileIcon } from '../kit/page-icons.tsx'
import { Callout, Facts, PageTitle } from '../kit/page-ui.tsx'
import { Sheet } from '../kit/sheet.tsx'
import { Countdown } from '../kit/time.tsx'
import { Button, ButtonLink } from '../kit/ui.tsx'
import type { MySignup, TicketItem, TicketNotice, TicketRow } from '../wire.ts'
import { writes } from '../writes.ts'
import { ticketTexts } from './texts.ts'

const HealthCard = lazy(async () => ({ default: (await import('./health-card.tsx')).HealthCard }))
const HelpCard = lazy(async () => ({ default: (await import('./help-card.tsx')).HelpCard }))
const SeatProofCard = lazy(async () => ({ default: (await import('./seat-proof.tsx')).SeatProofCard }))

/** The rules, which count as read only after their seconds have passed on the open page. */
const NoticeSheet = ({
  notice,
  onClose,
  onRead,
}: {
  readonly notice: TicketNotice
  readonly onClose: () => void
  readonly onRead: () => void
}) => {
  const t = useT(ticketTexts)
  const [left, setLeft] = useState(notice.needRead && !notice.read ? (notice.readSeconds ?? 10) : 0)
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => {
      if (document.visibilityState === 'visible') setLeft(left - 1)
      else setLeft(left)
    }, 1_000)
    return () => clearTimeout(timer)
  }, [left])
  return (
    <Sheet
      title={notice.title || t('ticket.notice')}
      wide
      onClose={onClose}
      foot={
        <Button look="primary" disabled={left > 0} onClick={onRead}>
          {left > 0 ? t('ticket.readLeft', { seconds: left }) : t('ticket.readDone')}
        </Button>
      }
    >
      <RichText html={notice.content ?? ''} />
    </Sheet>
  )
}

const SeatCard = ({ ticket }: { readonly ticket: TicketRow }) => {
  const t = useT(ticketTexts)
  return (
    <Card title={ticket.itemName}>
      {ticket.ticketState === 3 && <Callout tone="danger">{t('ticket.void')}</Callout>}
      <Facts
        facts={[
          { name: t('ticket.number'), value: <strong className="p-num">{ticket.ticketNo}</strong> },
          {
            name: t('ticket.time'),
            value: <span className="p-num">{`${minuteOf(ticket.startTime)} – ${endBeside(ticket.startTime, ticket.endTime)}`}</span>,
          },
          { name: t('ticket.report'), value: ticket.reportTime && minuteOf(ticket.reportTime) },
          { name: t('ticket.site'), value: ticket.siteAddress ? `${ticket.siteName}（${ticket.siteAddress}）` : ticket.siteName },
          { name: t('ticket.room'), value: [ticket.roomNo, ticket.roomName].filter(Boolean).join(' · ') },
          { name: t('ticket.seat'), value: <strong className="p-num">{ticket.seatNo}</strong> },
          { name: t('ticket.remark'), value: ticket.remark },
        ]}
      />
    </Card>
  )
}

const Pdf = ({ row, items }: { readonly row: MySignup; readonly items: readonly TicketItem[] }) => {
  const t = useT(ticketTexts)
  const [file, setFile] = useState<{ blob: Blob; url: string; name: string } | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useSaid<string | null>(null)
  useEffect(() => () => URL.revokeObjectURL(file?.url ?? ''), [file])
  const [first] = items
  const type = first?.itemType === 2 ? 2 : 1
  const fetchPdf = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const got = await writes.ticketPdf(row.signupId, type)
      if (got.kind !== 'file') return
      setFile({ blob: got.blob, url: URL.createObjectURL(got.blob), name: got.fileName ?? `${row.examName}.pdf` })
      for (const item of items) void writes.noteTicketDown(row.examId, item.itemId, type).catch(() => {})
    } catch (error) {
      setFailure(isApiError(error) ? error.message : t('error.system'))
    } finally {
      setBusy(false)
    }
  }
  if (file === null)
    return (
      <div className="p-stack">
        {failure !== null && (
          <Callout tone="danger" live>
            {failure}
          </Callout>
        )}
        <Button look="primary" block busy={busy} onClick={() => void fetchPdf()}>
          <DownloadIcon size={20} />
          {t('ticket.get')}
        </Button>
      </div>
    )
  return (
    <div className="p-stack">
      <Callout tone="success" live>
        <strong>{t('ticket.ready')}</strong>
        <br />
        {t('ticket.print')}
      </Callout>
      <InAppNote />
      <a className="p-btn is-primary is-block" href={file.url} target="_blank" rel="noreferrer">
        <FileIcon size={20} />
        {t('ticket.view')}
      </a>
      <Button block onClick={() => saveFile(file.blob, file.name)}>
        <DownloadIcon size={20} />
        {t('ticket.save')}
      </Button>
    </div>
  )
}

const Tickets = ({ row }: { readonly row: MySignup }) => {
  const t = useT(ticketTexts)
  const items = useRead('ticketItems', { examId: row.examId }, { staleMs: 0 })
  const notice = useRead('ticketNotice', { examId: row.examId }, { staleMs: 0 })
  const [reading, setReading] = useState(false)
  const [read, setRead] = useState(false)
  const ready = items.data?.filter(item => item.canDownload) ?? []
  const tickets = useRead('tickets', { examId: row.examId, current: 1, size: 20 }, { enabled: row.ticketReleased })
  const begin = notice.data?.downBegin
  const waiting = begin ? epochOf(begin) > serverNow() : false
  // No opening time changes it: whoever is not entitled reads why instead of a countdown.
  const barred = items.data?.some(item => item.isEntitled === false) === true
  // Asked for once there is a ticket and nothing but the documents keeps it back; rows of several papers share what was sent.
  const toSend =
    row.ticketReleased && !waiting && !barred ? items.data?.find(item => item.needUpload === true && !item.canDownload) : undefined
  const mustRead = Boolean(notice.data?.needRead) && !notice.data?.read && !read
  return (
    <>
      <h2>{row.examName}</h2>
      {begin && waiting && !barred && items.data !== undefined && (
        <section className="p-hero">
          <p className="p-small">{t('ticket.opens', { time: minuteOf(begin) })}</p>
          <p className="p-small">{t('ticket.opensIn')}</p>
          <p className="p-big">
            <Countdown until={begin} plain onEnd={() => void refresh()} />
          </p>
        </section>
      )}
      <Load query={items} skeleton={[180]}>
        {list => {
          const reasons = [...new Set(list.filter(item => !item.canDownload && item.reason).map(item => item.reason))]
          return (
            <>
              {reasons.length > 0 && ready.length === 0 && (barred || !waiting) && (
                <Callout tone="warning">
                  <strong>{t('ticket.notYet')}</strong>
                  {reasons.map(reason => (
                    <div key={reason}>{reason}</div>
                  ))}
                </Callout>
              )}
              {notice.data?.content && (
                <Card title={t('ticket.notice')}>
                  {mustRead ? <p>{t('ticket.noticeHint')}</p> : <p className="p-soft">{t('ticket.isRead')}</p>}
                  <Button look={mustRead ? 'primary' : undefined} onClick={() => setReading(true)}>
                    {t('ticket.read')}
                  </Button>
                </Card>
              )}
              {toSend !== undefined && !mustRead && (
                <Suspense fallback={null}>
                  <HealthCard examId={row.examId} item={toSend} onDone={() => void refresh()} />
                </Suspense>
              )}
              {(tickets.data?.records.length ?? 0) > 0 && (
                <section className="p-stack">
                  <h2>{t('ticket.seats')}</h2>
                  {tickets.data?.records.map(ticket => (
                    <SeatCard key={ticket.id} ticket={ticket} />
                  ))}
                </section>
              )}
              {ready.length > 0 && !mustRead && (
                <>
                  <Pdf row={row} items={ready} />
                  {notice.data?.downEnd && (
                    <p className="p-small p-dim p-center">{t('ticket.closes', { time: endMinuteOf(notice.data.downEnd) })}</p>
                  )}
                </>
              )}
              {tickets.data?.records.some(ticket => ticket.type === 1 && ticket.ticketState !== 3) && (
                <Suspense fallback={null}>
                  <SeatProofCard examId={row.examId} />
                </Suspense>
              )}
              <Suspense fallback={null}>
                <HelpCard examId={row.examId} />
              </Suspense>
              {list.length === 0 && !row.ticketReleased && <Empty text={t('ticket.none')} hint={t('ticket.noneHint')} />}
            </>
          )
        }}
      </Load>
      {reading && notice.data && (
        <NoticeSheet
          notice={read ? { ...notice.data, read: true } : notice.data}
          onClose={() => setReading(false)}
          onRead={() => {
            setReading(false)
            setRead(true)
            void writes.readTicketNotice(row.examId).then(
              () => refresh(),
              () => {},
            )
          }}
        />
      )}
    </>
  )
}

/** From the countdown to the paper in hand: rules to read, seats, the PDF, and why not yet. */
export const TicketPage = () => {
  const t = useT(ticketTexts)
  return (
    <>
      <PageTitle back="/signup/myExam" title={t('ticket.title')} />
      <ExamChoice
        label={t('ticket.exam')}
        wanted={row => row.examine === 5 || row.examine === 7}
        empty={
          <Empty text={t('ticket.none')} hint={t('ticket.noneHint')}>
            <ButtonLink to="/signup/myExam">{t('ticket.toMine')}</ButtonLink>
          </Empty>
        }
      >
        {row => <Tickets key={row.examId} row={row} />}
      </ExamChoice>
    </>
  )
}
