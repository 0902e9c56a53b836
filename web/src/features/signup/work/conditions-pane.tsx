import type { ReactNode } from 'react'
import { regionKey } from '#contract/signup/region.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { CheckMark } from '../check-mark.tsx'
import type { ExamineInfo } from '../show.ts'
import { reviewTexts } from '../texts.ts'
import { AdviceButton, AdviceNote, type Advising } from './advice-spot.tsx'
import { cannedForItem, cannedForPost } from './canned.ts'
import { Place } from './place.tsx'

type Signup = ExamineInfo['signup']
type Post = NonNullable<Signup['post']>

/** A day is not broken at its hyphens. */
const wholeDays = (text: string): ReactNode =>
  text.split(/(\d{4}-\d\d-\d\d)/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text
      <span key={index} className="check-day">
        {part}
      </span>
    ),
  )

const PostCard = ({ title, post, adjust }: { readonly title: string; readonly post: Post; readonly adjust: boolean }) => {
  const t = useT(reviewTexts)
  const words = [
    [t('conditions.age'), post.ageText],
    [t('conditions.major'), post.majorText],
    [t('conditions.other'), post.otherText],
  ].filter(([, text]) => text !== '')
  return (
    <section className="post-card">
      <h3>{title}</h3>
      <p className="post-name">
        {post.code} {post.codeName}
      </p>
      <p className="post-where">
        {post.unitName} · {post.typeName} · {t('conditions.plan', { plan: post.curNum })}
        {adjust ? ` · ${t('conditions.adjust')}` : ''}
      </p>
      {words.length === 0 ? null : (
        <dl>
          {words.map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

/** Where somebody comes from, or what else the examination means by the region of a sign-up. */
const Region = ({ signup, label, advising }: { readonly signup: Signup; readonly label: string; readonly advising: Advising | null }) => {
  const t = useT(reviewTexts)
  const code = signup.area || signup.city || signup.province || ''
  return (
    <>
      <section className="post-card">
        <h3>{label}</h3>
        <p className="post-where">{/^\d{6}$/.test(code) ? <Place code={code} /> : code || t('answers.empty')}</p>
      </section>
      {advising === null ? null : (
        <>
          <AdviceButton advising={advising} pane="conditions" kind="item" at={regionKey} label={label} />
          <AdviceNote advising={advising} pane="conditions" kind="item" at={regionKey} label={label} canned={cannedForItem} />
        </>
      )}
    </>
  )
}

/** Left: every condition of the post against the answer. What is not met comes first. */
export const ConditionsPane = ({ info, advising }: { readonly info: ExamineInfo; readonly advising: Advising }) => {
  const t = useT(reviewTexts)
  const { signup } = info
  // A condition may be about something that the form does not ask for: nobody could mend it there.
  const canBeMended = (field: string): boolean =>
    (field === regionKey && info.regionLabel !== null) ||
    isFile(field) ||
    info.items.some(group => group.items.some(item => item.itemKey === field))
  const isFile = (field: string): boolean => field.startsWith('file:')
  const spotOf = (field: string) =>
    isFile(field) ? { kind: 'file' as const, at: field.slice('file:'.length) } : { kind: 'item' as const, at: field }
  const count = (result: string) => signup.checks.filter(check => check.result === result).length
  const order = { no: 0, warn: 1, ok: 2 } as const
  const checks = [...signup.checks].sort((a, b) => order[a.result] - order[b.result])
  const post = t('conditions.post')
  return (
    <>
      <div className="pane-head">
        <h2>{t('conditions.title')}</h2>
        {checks.length === 0 ? null : (
          <span className="pane-note">{t('conditions.summary', { ok: count('ok'), warn: count('warn'), no: count('no') })}</span>
        )}
      </div>
      {checks.length === 0 ? <p className="pane-note">{t('conditions.none')}</p> : null}
      <ul className="checks">
        {checks.map(check => (
          <li key={`${check.rule}-${check.choice}-${check.field}`} data-result={check.result}>
            <div className="check-head">
              <strong>{check.ruleLabel}</strong>
              <CheckMark result={check.result} />
            </div>
            <dl>
              <div>
                <dt>{t('conditions.need')}</dt>
                <dd>{wholeDays(check.need)}</dd>
              </div>
              <div>
                <dt>{t('conditions.got')}</dt>
                <dd>{wholeDays(check.got)}</dd>
              </div>
            </dl>
            {check.result === 'ok' || !canBeMended(check.field) ? null : (
              <>
                <AdviceButton advising={advising} pane="conditions" {...spotOf(check.field)} label={check.ruleLabel} />
                <AdviceNote advising={advising} pane="conditions" {...spotOf(check.field)} label={check.ruleLabel} canned={cannedForItem} />
              </>
            )}
          </li>
        ))}
      </ul>
      {signup.post === null ? null : <PostCard title={post} post={signup.post} adjust={signup.adjust === 1} />}
      <AdviceButton advising={advising} pane="conditions" kind="post" at="code" label={post} />
      <AdviceNote advising={advising} pane="conditions" kind="post" at="code" label={post} canned={cannedForPost} />
      {signup.post2 === null ? null : <PostCard title={t('conditions.post2')} post={signup.post2} adjust={false} />}
      {info.regionLabel === null ? null : (
        <Region
          signup={signup}
          label={info.regionLabel}
          // Where a condition about it is not met, the advice stands there.
          advising={checks.some(check => check.field === regionKey && check.result !== 'ok') ? null : advising}
        />
      )}
    </>
  )
}
