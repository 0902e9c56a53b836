import { isApiError } from '#web/kernel/api-error.ts'
import { minuteOf, sizeOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { RichText } from '#web/kernel/rich-text.tsx'
import { useRead } from '../calls.ts'
import { Empty, Tag } from '../kit/blocks.tsx'
import { Card } from '../kit/card.tsx'
import { Load } from '../kit/load.tsx'
import { CheckIcon, FileIcon } from '../kit/page-icons.tsx'
import { Callout, Facts, PageTitle } from '../kit/page-ui.tsx'
import { Countdown } from '../kit/time.tsx'
import { ButtonLink } from '../kit/ui.tsx'
import { examineTone, phaseTone, useStateText } from '../state-text.ts'
import type { SignFile, SignupForm } from '../wire.ts'
import { PostFinder } from './post-finder.tsx'
import { examTexts } from './texts.ts'
import { Timeline } from './timeline.tsx'

const FileList = ({ files }: { readonly files: readonly SignFile[] }) => {
  const t = useT(examTexts)
  if (files.length === 0) return <p className="p-dim">{t('exam.noFiles')}</p>
  return (
    <ul className="p-plain p-stack p-gap-s">
      {files.map(file => (
        <li key={file.fileKey} className="p-row-between">
          <span className="p-row" style={{ flexWrap: 'nowrap', alignItems: 'flex-start' }}>
            <FileIcon size={20} />
            <span>
              {file.fileLabel}
              <span className="p-help" style={{ display: 'block' }}>
                {[
                  file.accept?.toUpperCase().replaceAll(',', ' / '),
                  file.maxKb ? t('exam.maxSize', { size: sizeOf(file.maxKb * 1024) }) : '',
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
          </span>
          {Boolean(file.required) && <Tag tone="warning">{t('exam.required')}</Tag>}
        </li>
      ))}
    </ul>
  )
}

/** Nothing is handed in yet, or it was taken back: any post can be chosen. */
const mayChoose = ({ canSubmit, signup }: SignupForm): boolean => canSubmit && (!signup || signup.examine === 0 || signup.examine === 6)

const Doing = ({ form }: { readonly form: SignupForm }) => {
  const t = useT(examTexts)
  const { exam, signup } = form
  const to = `/signup/form/${exam.id}`
  if (form.canSubmit) {
    const key =
      !signup && !form.draft
        ? 'exam.start'
        : signup?.examine === 3
          ? 'exam.fix'
          : signup && signup.examine !== 0 && signup.examine !== 6
            ? null
            : 'exam.continue'
    if (key !== null)
      return (
        <ButtonLink to={to} look="primary">
          {t(key)}
        </ButtonLink>
      )
  }
  return signup && signup.examine !== 0 ? (
    <ButtonLink to={`/signup/myExam?id=${signup.id}`} look="primary">
      {t('exam.view')}
    </ButtonLink>
  ) : null
}

/** What an exam is, when what happens, what it costs, what to bring, and which posts there are. */
export const ExamPage = ({ examId }: { readonly examId: string }) => {
  const t = useT(examTexts)
  const text = useStateText()
  const form = useRead('form', { examId })
  // A mistyped address does not come right by another try.
  if (form.isError && form.data === undefined && isApiError(form.error) && form.error.status === 404)
    return (
      <>
        <PageTitle back="/signup/examList" title={t('exam.missing')} />
        <Empty text={t('exam.missingHint')}>
          <ButtonLink to="/signup/examList" look="primary">
            {t('exam.list')}
          </ButtonLink>
        </Empty>
      </>
    )
  return (
    <Load query={form} skeleton={[56, 160, 260, 200]}>
      {data => {
        const { exam, signup } = data
        return (
          <>
            <PageTitle back="/signup/examList" title={exam.examName} />
            <div className="p-row" style={{ marginBottom: 12 }}>
              <Tag tone={phaseTone(exam.phase)}>{text.phase(exam.phase)}</Tag>
              {signup && <Tag tone={examineTone(signup.examine)}>{text.examine(signup.examine)}</Tag>}
              {exam.phase === 'signing' && (
                <span className="p-small p-soft">
                  <Countdown until={exam.signEnd} onEnd={() => void form.refetch()} />
                </span>
              )}
            </div>
            <div className="p-cols">
              <div className="p-stack p-gap-l">
                {!data.canSubmit && data.reason && !signup && (
                  <Callout tone="warning">
                    <strong>{t('exam.cannot')}</strong>
                    <br />
                    {data.reason}
                  </Callout>
                )}
                <a className="p-btn is-block" href="#posts">
                  {t('exam.toPosts')}
                </a>
                <Card title={t('exam.timeline')}>
                  <Timeline exam={exam} />
                </Card>
                <Card title={t('exam.rules')}>
                  {exam.description ? <RichText html={exam.description} /> : <p className="p-dim">{t('exam.noRules')}</p>}
                </Card>
                <section className="p-stack" id="posts">
                  <h2>{t('exam.posts')}</h2>
                  <PostFinder examId={examId} applyAt={mayChoose(data) ? `/signup/form/${examId}` : undefined} />
                </section>
              </div>
              <aside className="p-stack p-gap-l p-aside">
                <Card title={t('exam.facts')}>
                  <Facts
                    facts={[
                      { name: t('exam.fee'), value: exam.feeText },
                      { name: t('exam.type'), value: text.examType(exam.examType) },
                      typeof exam.postCount === 'number' && {
                        name: t('exam.plan'),
                        value: t('exam.planValue', { posts: exam.postCount, plan: exam.planTotal ?? 0 }),
                      },
                      { name: t('exam.organizer'), value: exam.organizer },
                      { name: t('exam.undertaker'), value: exam.undertaker },
                      { name: t('exam.code'), value: exam.examCode },
                      { name: t('exam.phone'), value: <a href={`tel:${exam.contactPhone}`}>{exam.contactPhone}</a> },
                    ]}
                  />
                </Card>
                <Card title={t('exam.files')}>
                  <p className="p-small p-dim">{t('exam.filesHint')}</p>
                  <FileList files={data.files} />
                </Card>
                {signup?.submitTime && (
                  <Callout tone="success">
                    <CheckIcon size={16} /> {t('exam.mine')} {signup.signNo} · {minuteOf(signup.submitTime)}
                  </Callout>
                )}
              </aside>
            </div>
            <div className="p-actions">
              <Doing form={data} />
            </div>
          </>
        )
      }}
    </Load>
  )
}
