import { lazy, Suspense } from 'react'
import { reductionStates } from '#contract/signup/reduction-state.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { workspacePath } from '#web/console/page-entry.ts'
import type { ApiOutput } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { yuanOf } from '#web/kernel/yuan.ts'
import { RevealButton } from '#web/resource/reveal.tsx'
import { useDict } from '#web/resource/use-dict.ts'
import { NavLink } from '#web/shell/nav-link.tsx'
import { usePage, useTabTitle } from '#web/shell/page-context.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { ObjectPage } from '#web/ui/object-page.tsx'
import { StateTag } from '#web/ui/state-tag.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { StatusTag, type Tone } from '#web/ui/status-tag.tsx'
import { Timeline } from '#web/ui/timeline.tsx'
import { courseTexts } from './texts.ts'
import './course.css'

const Standing = lazy(async () => ({ default: (await import('./standing.tsx')).Standing }))

type Course = ApiOutput<'GET /blade-signup/signup/course'>
type Event = Course['events'][number]
type Detail = ApiOutput<'GET /blade-signup/signup/detail'>

const tones: Partial<Record<Event['kind'], Tone>> = {
  submitted: 'active',
  passed: 'passed',
  returned: 'waiting',
  refused: 'refused',
  paid: 'passed',
  refunded: 'closed',
  ticketOut: 'active',
  resultOut: 'passed',
}

const Events = ({ events }: { readonly events: readonly Event[] }) => {
  const t = useT(courseTexts)
  /** The re-review and corrections are no levels of the review. */
  const titleOf = (kind: Event['kind'], number: number | null): string =>
    (kind === 'passed' || kind === 'returned' || kind === 'refused') && (number === 3 || number === 4)
      ? t(`event.${kind}.${number}`)
      : t(`event.${kind}`, { number: number ?? 0, yuan: yuanOf(number ?? 0) })
  return (
    <Timeline
      entries={events.map(({ id, kind, time, who, detail, number }) => ({
        key: `${kind} ${id}`,
        time,
        tone: tones[kind] ?? 'draft',
        title: titleOf(kind, number),
        detail: [who, detail].filter(Boolean).join(' · ') || undefined,
      }))}
    />
  )
}

const Person = ({ signup, examName }: { readonly signup: Detail; readonly examName: string }) => {
  const t = useT(courseTexts)
  const educations = useDict('education')
  const name = signup.name ?? ''
  return (
    <section className="card">
      <Facts
        items={[
          { key: 'exam', label: t('exam'), value: examName },
          { key: 'post', label: t('post'), value: [signup.code, signup.codeName].filter(Boolean).join(' ') },
          { key: 'unit', label: t('unit'), value: signup.unitName ?? signup.unit },
          {
            key: 'idCard',
            label: t('idCard'),
            value: (
              <>
                {signup.idCardMask ?? '-'} <RevealButton signupId={signup.id} name={name} field="idCard" />
              </>
            ),
          },
          {
            key: 'phone',
            label: t('phone'),
            value: (
              <>
                {signup.phoneMask ?? '-'} <RevealButton signupId={signup.id} name={name} field="phone" />
              </>
            ),
          },
          {
            key: 'education',
            label: t('education'),
            value: educations.find(option => option.value === signup.education)?.label ?? signup.education,
          },
          { key: 'major', label: t('major'), value: signup.major },
          { key: 'submitted', label: t('submitted'), value: signup.submitTime === null ? null : minuteOf(signup.submitTime) },
          { key: 'remark', label: t('remark'), value: signup.examineRemark },
        ]}
      />
    </section>
  )
}

const Files = ({ files }: { readonly files: Detail['files'] }) => {
  const t = useT(courseTexts)
  return (
    <section className="card">
      <h2>{t('files')}</h2>
      {files.length === 0 ? <p>{t('files.none')}</p> : null}
      <ul className="course-files">
        {files.map(file => (
          <li key={file.fileId}>
            <a href={file.link} target="_blank" rel="noreferrer">
              {file.name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Actions = ({ signup }: { readonly signup: Detail }) => {
  const t = useT(courseTexts)
  const can = useCan()
  return (
    <>
      {can('examine_view') ? (
        <NavLink className="button button-primary" to={`/examine/work/${signup.id}`}>
          {t('review')}
        </NavLink>
      ) : null}
      {can('exampay_view') && signup.signNo !== null ? (
        <NavLink className="button" to={`/pay/examPay?${new URLSearchParams({ examId: signup.examId, signNo: signup.signNo })}`}>
          {t('dues')}
        </NavLink>
      ) : null}
      {can('examination_view') ? (
        <NavLink className="button" to={workspacePath(signup.examId, 'overview')}>
          {t('open')}
        </NavLink>
      ) : null}
    </>
  )
}

const Whole = ({ signup, course, onDone }: { readonly signup: Detail; readonly course: Course; readonly onDone: () => void }) => {
  const t = useT(courseTexts)
  const name = signup.name ?? signup.signNo ?? ''
  useTabTitle(name === '' ? null : { zh: name, en: name })
  return (
    <ObjectPage
      title={[signup.name, signup.signNo].filter(Boolean).join(' · ')}
      state={
        <>
          <StateTag of={signupMachine} wire={signup.examine} />
          {course.reductionState === reductionStates.none || course.reductionState === reductionStates.moved ? null : (
            <StatusTag tone="waiting" text={t(`reduced.${course.reductionState as 1 | 2 | 4 | 5}`)} />
          )}
        </>
      }
      actions={<Actions signup={signup} />}
      courseTitle={t('course')}
      course={<Events events={course.events} />}
    >
      <Person signup={signup} examName={course.examName} />
      <Suspense>
        <Standing signup={{ ...signup, name: signup.name ?? signup.signNo ?? '' }} onDone={onDone} />
      </Suspense>
      <Files files={signup.files} />
    </ObjectPage>
  )
}

/** One sign-up: who, in which state, everything that happened to it, its files, and what may be done. */
export const Page = () => {
  const { params } = usePage()
  const id = params.id ?? '0'
  const detail = useCall('GET /blade-signup/signup/detail', { id }, { quiet: true })
  const course = useCall('GET /blade-signup/signup/course', { id }, { quiet: true })
  const reload = () => {
    void detail.refetch()
    void course.refetch()
  }
  return (
    <Loaded query={detail}>
      {signup => <Loaded query={course}>{of => <Whole signup={signup} course={of} onDone={reload} />}</Loaded>}
    </Loaded>
  )
}
