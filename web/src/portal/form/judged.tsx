import { type ReactNode, useState } from 'react'
import { defineTexts, useLang, useT } from '#web/kernel/i18n/index.ts'
import { AlertIcon } from '../kit/icons.tsx'
import { CheckIcon } from '../kit/page-icons.tsx'
import { Callout } from '../kit/page-ui.tsx'
import { Button } from '../kit/ui.tsx'
import type { AutoCheck, SignupForm } from '../wire.ts'
import { postName, type StepNo } from './model.ts'
import type { FormStore } from './store.ts'
import { formTexts } from './texts.ts'
import type { UploadQueue } from './uploads.ts'
import { missing } from './use-submit.ts'

const texts = defineTexts(
  {
    'judged.title': '岗位条件',
    'judged.first': '报考岗位：{post}',
    'judged.second': '第二志愿：{post}',
    'judged.others': '请核对',
    'judged.no': '有条件不符合。请核对填写的内容，或换一个岗位；年龄、性别以外的，提交时可以请审核人员判断。',
    'judged.warn': '已填写而标黄的条件由审核人员判断，不影响提交。',
    'judged.none': '没有由系统核对的条件，其他要求见岗位说明。',
    'judged.waiting': '正在核对条件，内容保存后显示结果。',
    'judged.line': '{label}：要求 {need}；您填写 {got}',
    'judged.unsaid': '{label}：要求 {need}；还没有填写',
    'judged.found': '{label}：要求 {need}；{got}',
    'judged.result.ok': '符合',
    'judged.result.no': '不符合',
    'judged.result.warn': '待审核人员判断',
    'judged.told': '还缺 {count} 项',
    'judged.toldHint': '补上才能提交',
  },
  {
    'judged.title': 'Conditions of the posts',
    'judged.first': 'Post: {post}',
    'judged.second': 'Second choice: {post}',
    'judged.others': 'Please check',
    'judged.no':
      'A condition is not met. Check what you filled in, or choose another post; except for age and sex you can have a person decide when you submit.',
    'judged.warn': 'What you filled in and is marked yellow is for a reviewer and does not keep you from submitting.',
    'judged.none': 'No condition that the system checks; what else is asked stands with the post.',
    'judged.waiting': 'The conditions are being checked; the result comes once this is saved.',
    'judged.line': '{label} – needed: {need}; you gave: {got}',
    'judged.unsaid': '{label} – needed: {need}; not filled in yet',
    'judged.found': '{label} – needed: {need}; {got}',
    'judged.result.ok': 'met',
    'judged.result.no': 'not met',
    'judged.result.warn': 'for a reviewer',
    'judged.told': '{count|thing|things} still missing',
    'judged.toldHint': 'To fill in or correct before you submit',
  },
)

/** What was found on a file: the candidate has given no answer there. */
const found = new Set(['evidence', 'photo'])
/** What is doubtful whatever the post (contract `FactRule`). */
const facts = new Set(['evidence', 'graduation', 'workAge', 'school', 'photo'])

const Lines = ({
  checks,
  title,
  isJudged = true,
}: {
  readonly checks: readonly AutoCheck[]
  readonly title: string
  /** Nothing found is said of a post that was looked at, and of no other. */
  readonly isJudged?: boolean
}) => {
  const t = useT(texts)
  return (
    <>
      <strong>{title}</strong>
      {checks.length === 0 ? (
        <p className="p-small p-dim">{t(isJudged ? 'judged.none' : 'judged.waiting')}</p>
      ) : (
        <ul className="p-plain p-stack p-gap-s" aria-label={title}>
          {checks.map(check => (
            <li key={`${check.rule}-${check.field}`} className={`p-finding is-${check.result}`}>
              {check.result === 'ok' ? <CheckIcon size={18} /> : <AlertIcon size={18} />}
              <span>
                {t(found.has(check.rule) ? 'judged.found' : check.isSaid ? 'judged.line' : 'judged.unsaid', {
                  label: check.ruleLabel.replace(/^(?:第二志愿·|Second choice: )/, ''),
                  need: check.need,
                  got: check.got,
                })}
                {check.isSaid && <span className="p-hidden">{t(`judged.result.${check.result}`)}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Every condition of both choices with what is needed and what was given, and what else keeps the form from being sent. */
export const JudgedPanel = ({
  form,
  store,
  queue,
  onGo,
}: {
  readonly form: SignupForm
  readonly store: FormStore
  readonly queue: UploadQueue
  readonly onGo: (to: StepNo, key?: string) => void
}): ReactNode => {
  const t = useT(texts)
  const f = useT(formTexts)
  const lang = useLang()
  const { judged, values, save } = store()
  // A file that arrives or fails changes what is missing.
  queue.useUploads()
  const [isWide] = useState(() => window.matchMedia('(min-width: 768px)').matches)
  const lacking = form.canSubmit ? missing(form, store, queue, f, lang) : []
  const { autoCheck, told } = judged
  const ofPost = (choice: number) => autoCheck.filter(check => !facts.has(check.rule) && check.choice === choice)
  // What keeps the form from being sent is said below, and not beside it that a reviewer decides.
  const others = autoCheck.filter(check => facts.has(check.rule) && !told.some(one => one.field === check.field))
  const isUnmet = autoCheck.some(check => check.result === 'no' && check.blocking)
  const isJudged = save.kind === 'saved' || (save.kind === 'idle' && form.signup?.code === values.post?.code)
  const isOpen = !isJudged && autoCheck.length === 0
  if (values.post === null && values.post2 === null && others.length === 0 && told.length === 0) return null
  return (
    <Callout
      tone={
        isUnmet
          ? 'danger'
          : lacking.length > 0 || autoCheck.some(check => check.result !== 'ok')
            ? 'warning'
            : isOpen
              ? 'neutral'
              : 'success'
      }
      live
    >
      <section className="p-stack p-gap-s" aria-label={t('judged.title')}>
        {values.post !== null && <Lines checks={ofPost(1)} isJudged={!isOpen} title={t('judged.first', { post: postName(values.post) })} />}
        {values.post2 !== null && (
          <Lines checks={ofPost(2)} isJudged={!isOpen} title={t('judged.second', { post: postName(values.post2) })} />
        )}
        {others.length > 0 && <Lines checks={others} title={t('judged.others')} />}
        {[...ofPost(1), ...ofPost(2), ...others].some(check => check.result === 'warn' && check.isSaid) && (
          <p className="p-small">{t('judged.warn')}</p>
        )}
        {lacking.length > 0 && (
          <details open={isWide}>
            <summary className="p-strong" style={{ minHeight: 44, lineHeight: '44px', cursor: 'pointer' }}>
              {t('judged.told', { count: lacking.length })}
            </summary>
            <p className="p-small">{t('judged.toldHint')}</p>
            <ul className="p-plain">
              {lacking.map(({ key, step, message }) => (
                <li key={key}>
                  <Button look="text" onClick={() => onGo(step, key)}>
                    {message}
                  </Button>
                </li>
              ))}
            </ul>
          </details>
        )}
        {isUnmet && <p>{t('judged.no')}</p>}
      </section>
    </Callout>
  )
}
