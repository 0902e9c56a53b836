import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { endBeside } from '#contract/kernel/when.ts'
import type { ApiOutput } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { ExamMissing } from '#web/resource/exam-missing.tsx'
import { useExamChoice } from '#web/resource/within.tsx'
import { NavLink } from '#web/shell/nav-link.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { examTexts } from '../texts.ts'
import { neededSeats } from './library-rooms.ts'
import { papersQuery, type RoomPaper, seatsOfRooms } from './rooms-calls.ts'
import { roomsPageTexts } from './rooms-page-texts.ts'
import './rooms.css'

const RoomsDialog = lazy(async () => ({ default: (await import('./rooms-dialog.tsx')).RoomsDialog }))
const TakeDialog = lazy(async () => ({ default: (await import('./choose-dialogs.tsx')).TakeDialog }))
const CopyDialog = lazy(async () => ({ default: (await import('./choose-dialogs.tsx')).CopyDialog }))

type Counts = ApiOutput<'GET /blade-exam/examination/findTicketItems'>[number]
type Opened = { readonly kind: 'set' | 'take' | 'copy'; readonly paper: RoomPaper }
const isOpen = (paper: RoomPaper): boolean => (paper.ticketState ?? 0) === 0

const Gap = ({ seats, need }: { readonly seats: number; readonly need: number | undefined }) => {
  const t = useT(roomsPageTexts)
  if (need === undefined) return <>-</>
  return seats < need ? (
    <StatusTag tone="refused" text={t('short', { count: need - seats })} />
  ) : (
    <StatusTag tone="passed" text={t('enough', { count: seats - need })} />
  )
}

const PaperLine = ({
  paper,
  counts,
  needed,
  mayEdit,
  onOpen,
}: {
  readonly paper: RoomPaper
  readonly counts: Counts | undefined
  /** Seats that are needed by all papers that share these. */
  readonly needed: number | undefined
  readonly mayEdit: boolean
  readonly onOpen: (kind: Opened['kind']) => void
}) => {
  const t = useT(roomsPageTexts)
  const rooms = paper.rooms?.length ?? 0
  // Papers of one seat group share the rooms of one of them.
  const seats = counts?.seats ?? seatsOfRooms(paper.rooms ?? [])
  const need = counts?.eligible
  const button = (kind: Opened['kind']) => (
    <button type="button" className="link-button" aria-label={`${t(kind)} ${paper.itemName}`} onClick={() => onOpen(kind)}>
      {t(kind)}
    </button>
  )
  return (
    <tr>
      <th scope="row">{paper.itemName}</th>
      <td>
        {minuteOf(paper.startTime)} – {endBeside(paper.startTime, paper.endTime)}
      </td>
      <td className="rooms-number">
        {counts?.rooms ?? rooms}
        {paper.seatGroup === null || rooms > 0 || seats === 0 ? null : <small> {t('shared', { group: paper.seatGroup })}</small>}
      </td>
      <td className="rooms-number">{seats}</td>
      <td className="rooms-number">{need ?? '-'}</td>
      <td>
        <Gap seats={seats} need={needed} />
      </td>
      <td className="rooms-acts">
        {button('set')}
        {mayEdit && isOpen(paper) ? button('take') : null}
        {mayEdit && rooms > 0 ? button('copy') : null}
        {isOpen(paper) ? null : <small>{t('frozen')}</small>}
      </td>
    </tr>
  )
}

/** The rooms of every paper of an examination, and whether they suffice. */
export const Page = () => {
  const t = useT(roomsPageTexts)
  const exams = useT(examTexts)
  const can = useCan()
  const { examId, bar, none } = useExamChoice()
  const papers = useQuery({ ...papersQuery(examId ?? '0'), enabled: examId !== null })
  const needs = useCall(
    'GET /blade-exam/examination/findTicketItems',
    { examId: examId ?? '0' },
    { quiet: true, enabled: examId !== null && can('ticket_view') },
  )
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  const mayEdit = can('examitem_edit')
  if (none || examId === null) return <ExamMissing text={exams('papers.noExam')} />
  const countsOf = (paper: RoomPaper) => needs.data?.find(item => item.itemId === paper.id)
  return (
    <>
      <div className="page-head">
        <h1>{t('title')}</h1>
        {can('examsite_view') ? <NavLink to="/exam/examSite">{t('sites')}</NavLink> : null}
        {can('siteroom_view') ? <NavLink to="/exam/siteRoom">{t('siteRooms')}</NavLink> : null}
      </div>
      {bar}
      <p className="page-lead">{t('lead')}</p>
      <Loaded query={papers}>
        {rows =>
          rows.length === 0 ? (
            <div className="card">
              <EmptyState text={t('none')} />
            </div>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
            <section className="card plain-table rooms-page" aria-label={t('title')} tabIndex={0}>
              <table>
                <thead>
                  <tr>
                    {(['paper', 'time', 'rooms', 'seats', 'need', 'gap'] as const).map(key => (
                      <th key={key} scope="col" title={key === 'need' ? t('need.why') : undefined}>
                        {t(key)}
                      </th>
                    ))}
                    <td />
                  </tr>
                </thead>
                <tbody>
                  {rows.map(paper => {
                    const counts = countsOf(paper)
                    return (
                      <PaperLine
                        key={paper.id}
                        paper={paper}
                        counts={counts}
                        needed={counts === undefined ? undefined : neededSeats(needs.data ?? [], counts)}
                        mayEdit={mayEdit}
                        onOpen={kind => setOpened({ kind, paper })}
                      />
                    )
                  })}
                </tbody>
              </table>
            </section>
          )
        }
      </Loaded>
      <Suspense>
        {opened === null ? null : opened.kind === 'set' ? (
          <RoomsDialog
            basePath="/blade-examitem/examitem"
            paperId={opened.paper.id}
            paperName={opened.paper.itemName}
            mayEdit={mayEdit}
            onClose={() => {
              close()
              void papers.refetch()
            }}
          />
        ) : opened.kind === 'take' ? (
          <TakeDialog paper={opened.paper} onClose={close} />
        ) : (
          <CopyDialog
            paper={opened.paper}
            others={(papers.data ?? []).filter(other => other.id !== opened.paper.id && isOpen(other))}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  )
}
