import { useEffect, useState } from 'react'
import { endMinuteOf, minuteOf, sizeOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useOpenPath } from '#web/kernel/open-path.ts'
import { parseRich, wordsOf } from '#web/kernel/rich-html.ts'
import { pictureOf, RichText } from '#web/kernel/rich-text.tsx'
import { useSession } from '#web/kernel/session.ts'
import { type Reading, useRead } from '../calls.ts'
import { refresh } from '../data/answers.ts'
import { Empty } from '../kit/blocks.tsx'
import { Load } from '../kit/load.tsx'
import { Callout, Facts, PageTitle } from '../kit/page-ui.tsx'
import { Button, ButtonLink } from '../kit/ui.tsx'
import { useCandidate } from '../own.ts'
import { writes } from '../writes.ts'
import { NoticeTags } from './line.tsx'
import { PublicNav, usePublicHead } from './public-nav.tsx'
import { newsTexts } from './texts.ts'
import './news.css'

/** Wire number of a sign-up that was taken back (contract `signup.state.ts`). */
const withdrawn = 6

const codeOf = (error: unknown): number => Number((error as { readonly code?: unknown } | null)?.code ?? 0)

/** Why an address shows nothing: it was withdrawn, or is not for this reader. Other failures are said as everywhere. */
const Missing = ({ query, back }: { readonly query: Reading<unknown>; readonly back: string }) => {
  const t = useT(newsTexts)
  const isNobody = useSession(session => session.user === null)
  const isGone = codeOf(query.error) === 410
  return (
    <>
      <PublicNav />
      <PageTitle back={back} title={t(isGone ? 'notice.gone' : 'list.notices')} />
      <Empty
        text={isGone && query.error instanceof Error ? query.error.message : t('notice.missing')}
        hint={t(isGone ? 'notice.goneHint' : 'notice.missingHint')}
      >
        <ButtonLink to={back}>{t('notice.all')}</ButtonLink>
        {!isGone && isNobody && (
          <a className="p-btn is-primary" href={`/login?redirect=${encodeURIComponent(location.pathname)}`}>
            {t('notice.login')}
          </a>
        )}
      </Empty>
    </>
  )
}
const isMissing = ({ isError, data, error }: Reading<unknown>): boolean =>
  isError && data === undefined && [404, 410].includes(codeOf(error))

const Sure = ({ id, textVersion, onDone }: { readonly id: string; readonly textVersion: number; readonly onDone: () => void }) => {
  const t = useT(newsTexts)
  const [busy, setBusy] = useState(false)
  const sure = async () => {
    setBusy(true)
    try {
      await writes.sureNotify(id, textVersion)
      onDone()
    } catch {
      // The client has said why.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Callout tone="warning">
      <p>{t('notice.needSureHint')}</p>
      <Button look="primary" busy={busy} onClick={() => void sure()}>
        {t('notice.sure')}
      </Button>
    </Callout>
  )
}

/** The examination that an announcement is about: its window, whom to call, and the way to sign up, with or without an account. */
const AboutExam = ({
  examId,
  name,
  exam,
}: {
  readonly examId: string
  readonly name: string
  readonly exam: NonNullable<ReturnTypeOfNotice['exam']>
}) => {
  const t = useT(newsTexts)
  const isCandidate = useCandidate()
  const isNobody = useSession(session => session.user === null)
  const open = useOpenPath()
  const form = `/signup/form/${examId}`
  const mine = useRead('myExamList', { current: 1, size: 50 }, { enabled: isCandidate })
  const isSignedUp = mine.data?.records.some(one => one.examId === examId && one.submitTime !== null && one.examine !== withdrawn) ?? false
  return (
    <section className="p-card p-stack p-gap-s">
      <h2>{name}</h2>
      <Facts
        facts={[
          exam.signBegin !== null &&
            exam.signEnd !== null && {
              name: t('notice.exam.sign'),
              value: `${minuteOf(exam.signBegin)} – ${endMinuteOf(exam.signEnd)}`,
            },
          exam.contactPhone !== '' && {
            name: t('notice.exam.phone'),
            value: <a href={`tel:${exam.contactPhone}`}>{exam.contactPhone}</a>,
          },
        ]}
      />
      <div className="p-row">
        {isSignedUp ? (
          <ButtonLink to={`/signup/exam/${examId}`} look="primary">
            {t('notice.exam.applied')}
          </ButtonLink>
        ) : (
          exam.isSigning &&
          isCandidate && (
            <ButtonLink to={form} look="primary">
              {t('notice.exam.apply')}
            </ButtonLink>
          )
        )}
        {exam.isSigning && isNobody && (
          <a className="p-btn is-primary" href={`/login?redirect=${encodeURIComponent(form)}`}>
            {t('notice.exam.apply')}
          </a>
        )}
        {isSignedUp ? null : isCandidate ? (
          <ButtonLink to={`/signup/exam/${examId}`}>{t('notice.exam')}</ButtonLink>
        ) : (
          <a className="p-btn" href={open(`/open/${examId}`)}>
            {t('notice.exam')}
          </a>
        )}
      </div>
    </section>
  )
}

const NoticeBody = ({ id, query }: { readonly id: string; readonly query: Reading<ReturnTypeOfNotice> }) => {
  const t = useT(newsTexts)
  const isSignedIn = useSession(session => session.user !== null)
  const isRead = query.data?.read
  useEffect(() => {
    if (isSignedIn && isRead === false) void writes.readNotice(id).catch(() => {})
  }, [id, isSignedIn, isRead])
  return (
    <Load query={query} skeleton={[60, 400]}>
      {row => (
        <article className="p-stack">
          <PublicNav />
          <PageTitle back={row.noticeType === 3 ? '/publicity' : '/notices'} title={row.title} />
          <NoticeTags row={row} />
          <p className="p-small p-dim p-num">
            {minuteOf(row.releaseTime)}
            {row.noticeType === 3 && row.endTime !== null && ` · ${t('notice.until', { time: endMinuteOf(row.endTime) })}`}
          </p>
          <div className="p-card">
            <RichText html={row.content} />
          </div>
          {row.files.length > 0 && (
            <section className="p-card p-stack p-gap-s">
              <h2>{t('notice.files')}</h2>
              <ul className="p-plain">
                {row.files.map(file => (
                  <li key={file.id}>
                    <a href={file.link} target="_blank" rel="noreferrer">
                      {file.name}
                    </a>{' '}
                    <span className="p-small p-dim">{sizeOf(file.size)}</span>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {row.examId !== null && row.examName !== null && row.exam !== null && (
            <AboutExam examId={row.examId} name={row.examName} exam={row.exam} />
          )}
          {isSignedIn && row.needSure && row.sureTime === null && (
            <Sure
              id={id}
              textVersion={row.textVersion}
              onDone={() => {
                void query.refetch()
                void refresh('waitingNotices')
              }}
            />
          )}
          {row.sureTime !== null && (
            <p className="p-small p-dim" role="status">
              {t('notice.sured', { time: minuteOf(row.sureTime) })}
            </p>
          )}
        </article>
      )}
    </Load>
  )
}
type ReturnTypeOfNotice = NonNullable<ReturnType<typeof useNotice>['data']>
const useNotice = (id: string) => useRead('notice', { id })

/** One notice, at an address that can be shared. */
export const NoticeTextPage = ({ id }: { readonly id: string }) => {
  const query = useNotice(id)
  usePublicHead(query.data?.title, query.data?.summary)
  return isMissing(query) ? <Missing query={query} back="/notices" /> : <NoticeBody id={id} query={query} />
}

/** A summary of its own stands above the text; one made of its first words would repeat them. */
const isBegin = ({ summary, content }: { readonly summary: string; readonly content: string }): boolean => {
  const plain = (text: string) => text.replace(/[\s…]+/g, '')
  // One made by the program leaves tables out.
  return [content, content.replace(/<table[\s\S]*?<\/table>/g, '')].some(text => plain(wordsOf(parseRich(text))).startsWith(plain(summary)))
}

export const NewsTextPage = ({ id }: { readonly id: string }) => {
  const t = useT(newsTexts)
  const query = useRead('newsItem', { id })
  usePublicHead(query.data?.title, query.data?.summary)
  if (isMissing(query)) return <Missing query={query} back="/news" />
  return (
    <Load query={query} skeleton={[60, 400]}>
      {row => (
        <article className="p-stack">
          <PublicNav />
          <PageTitle back="/news" title={row.title} />
          <p className="p-small p-dim p-num">
            {[
              minuteOf(row.releaseTime),
              row.source && t('news.source', { source: row.source }),
              row.author && t('news.author', { author: row.author }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
          {row.cover !== '' && <img className="p-cover" src={pictureOf(row.cover)} alt="" />}
          {!isBegin(row) && <p className="p-soft">{row.summary}</p>}
          <div className="p-card">
            <RichText html={row.content} />
          </div>
        </article>
      )}
    </Load>
  )
}
