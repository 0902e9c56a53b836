import { endMinuteOf } from '#web/kernel/format.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { useSession } from '#web/kernel/session.ts'
import { Timeline } from '../exam/timeline.tsx'
import { CheckIcon } from '../kit/page-icons.tsx'
import { Facts } from '../kit/page-ui.tsx'
import { ButtonLink } from '../kit/ui.tsx'
import type { SignupForm, SubmitAnswer } from '../wire.ts'
import type { PickedPost } from './model.ts'
import { formTexts } from './texts.ts'

/** After handing in: the number, and what comes next by the dates of the examination. */
export const Submitted = ({
  answer,
  exam,
  post,
  again,
}: {
  readonly answer: SubmitAnswer
  readonly exam: SignupForm['exam']
  readonly post: PickedPost | null
  readonly again: boolean
}) => {
  const t = useT(formTexts)
  const lang = useLang()
  const tenantId = useSession(session => session.user?.tenantId ?? '')
  return (
    <div className="p-stack p-gap-l">
      <div className="p-card p-done">
        <span className="p-done-mark">
          <CheckIcon size={40} />
        </span>
        <h1 tabIndex={-1}>{t(again ? 'form.done.again' : 'form.done.title')}</h1>
        {answer.signNo && (
          <p>
            <span className="p-dim">{t('form.done.no')}</span>
            <br />
            <span className="p-big p-num">{answer.signNo}</span>
          </p>
        )}
        <p className="p-soft">{t('form.done.hint')}</p>
        <Facts
          facts={[
            post !== null && { name: t('form.done.post'), value: [post.codeName, post.unitName].filter(Boolean).join(' · ') },
            { name: t('form.done.fee'), value: answer.feeText ?? exam.feeText },
          ]}
        />
        {!again && <p className="p-small">{t('form.done.change', { time: endMinuteOf(exam.signEnd) })}</p>}
      </div>
      <section className="p-card p-stack p-gap-l" aria-labelledby="form-next">
        <h2 id="form-next">{t('form.done.next')}</h2>
        <Timeline exam={exam} isAhead papers={answer.papers} />
        <p className="p-small p-soft">{t('form.done.moves')}</p>
        {/* A page of the server, not of this bundle: the link is followed by the browser itself. */}
        <a className="p-btn is-block" href={`/open/${exam.id}/calendar.ics?${new URLSearchParams({ lang, tenantId })}`}>
          {t('form.done.calendar')}
        </a>
      </section>
      <ButtonLink to="/signup/myExam" look="primary" block>
        {t('form.done.mine')}
      </ButtonLink>
      <ButtonLink to="/" block>
        {t('form.done.home')}
      </ButtonLink>
    </div>
  )
}
