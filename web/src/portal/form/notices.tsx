import { type ReactNode, useEffect, useRef, useState } from 'react'
import { changedParts } from '#contract/signup/draft-merge.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { endMinuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { listOf } from '#web/kernel/i18n/list.ts'
import { ask } from '../kit/ask.ts'
import { Callout } from '../kit/page-ui.tsx'
import { Link } from '../kit/router.tsx'
import { Button } from '../kit/ui.tsx'
import type { SignupForm } from '../wire.ts'
import { writes } from '../writes.ts'
import { type Sync, valueParts } from './draft.ts'
import { forgetLost } from './local-copy.ts'
import { type FormValues, type Problem, partName, type StepNo, startValues, todayOf } from './model.ts'
import { Closed, clock } from './parts.tsx'
import type { Refusal } from './store.ts'
import { formTexts } from './texts.ts'

/** Fields of a submitted sign-up that read otherwise now, by their names. */
const changedNames = (form: SignupForm, values: FormValues, conflicts: Sync['conflicts']): readonly string[] => {
  const handedIn = startValues({ ...form, draft: null }, todayOf(serverNow()))
  const changed = changedParts(valueParts(handedIn, form.asksRegion), valueParts(values, form.asksRegion))
  // What waits for a choice is not saved, and told on its own.
  return changed.filter(key => !conflicts.some(one => one.key === key)).map(key => partName(form, key))
}

/** Changes that were saved and are not handed in: which, and what becomes of them. */
const UnsentNotice = ({
  form,
  values,
  conflicts,
  step,
  onSend,
  onReload,
}: {
  readonly form: SignupForm
  readonly values: FormValues
  readonly conflicts: Sync['conflicts']
  readonly step: StepNo
  readonly onSend: () => void
  readonly onReload: () => void
}) => {
  const t = useT(formTexts)
  const [isBusy, setBusy] = useState(false)
  const mayEdit = form.canSubmit && form.signup?.examine === 1
  const names = mayEdit ? changedNames(form, values, conflicts) : (form.unsent?.labels ?? [])
  const locked = form.unsent?.locked ?? []
  const drop = async () => {
    const yes = await ask({
      title: t('form.unsent.dropAsk'),
      body: (
        <>
          <p>{t('form.unsent.dropHint')}</p>
          <ul>
            {[...names, ...locked].map(name => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </>
      ),
      okText: t('form.unsent.drop'),
      danger: true,
    })
    if (!yes) return
    setBusy(true)
    try {
      await writes.dropDraft(form.exam.id)
      onReload()
    } finally {
      setBusy(false)
    }
  }
  if (names.length === 0 && locked.length === 0) return null
  return (
    <Callout tone="warning" live>
      {names.length > 0 && (
        <>
          <strong>{t('form.unsent', { count: names.length })}</strong>
          <p>{listOf(names)}</p>
          <p>{t(mayEdit ? 'form.unsent.send' : form.canSubmit ? 'form.unsent.offered' : 'form.unsent.kept')}</p>
        </>
      )}
      {locked.length > 0 && <p>{t('form.unsent.locked', { names: listOf(locked) })}</p>}
      {mayEdit && step < 4 && (
        <Button look="primary" onClick={onSend}>
          {t('form.unsent.go')}
        </Button>
      )}
      {!form.canSubmit && form.unsent !== null && (
        <Button look="text" busy={isBusy} onClick={() => void drop()}>
          {t('form.unsent.drop')}
        </Button>
      )}
    </Callout>
  )
}

/** How the sign-up stands before anything is typed: closed, handed in already, refused; and what was changed since. */
export const StateNotices = (props: {
  readonly form: SignupForm
  readonly appealing: boolean
  readonly values: FormValues
  readonly conflicts: Sync['conflicts']
  readonly step: StepNo
  readonly onSend: () => void
  readonly onReload: () => void
}) => (
  <>
    <StandNotice {...props} />
    {props.form.signup !== null && props.form.signup.examine !== 0 && <UnsentNotice {...props} />}
  </>
)

const StandNotice = ({ form, appealing }: { readonly form: SignupForm; readonly appealing: boolean }) => {
  const t = useT(formTexts)
  const { signup } = form
  if (!form.canSubmit) return <Closed form={form} />
  if (signup?.examine === 1) return <Callout tone="active">{t('form.already', { time: endMinuteOf(form.exam.signEnd) })}</Callout>
  if (signup?.examine !== 4) return null
  return (
    <Callout tone="warning">
      <strong>{t('form.refused')}</strong>
      {signup.examineRemark && <p>{t('form.refusedWhy', { reason: signup.examineRemark })}</p>}
      <p>{t(appealing ? 'form.appealHint' : form.canAppeal ? 'form.appealOther' : 'form.refusedHint')}</p>
    </Callout>
  )
}

/** What was found on this device and is newer than what the server has; it can be thrown away. */
export const RestoredNotice = ({ atMs, onDrop }: { readonly atMs: number; readonly onDrop: () => void }) => {
  const t = useT(formTexts)
  const [kept, setKept] = useState(true)
  if (!kept) return null
  return (
    <Callout tone="active" live>
      {t('form.restored', { time: clock(atMs) })}{' '}
      <Button
        look="text"
        onClick={() => {
          onDrop()
          setKept(false)
        }}
      >
        {t('form.restoredDrop')}
      </Button>
    </Callout>
  )
}

/** Sensitive fields lie in no browser: what was typed into them when the session ended or the page was left is gone, and which they were is said. */
export const LostNotice = ({
  form,
  userId,
  keys,
}: {
  readonly form: SignupForm
  readonly userId: string
  readonly keys: readonly string[]
}) => {
  const t = useT(formTexts)
  const [isRead, setRead] = useState(false)
  // What has been typed once more is no longer lost.
  if (isRead || keys.length === 0) return null
  return (
    <Callout tone="warning" live>
      <strong>{t('form.lost')}</strong>
      <p>{listOf(keys.map(key => partName(form, key)))}</p>
      <Button
        look="text"
        onClick={() => {
          forgetLost(form.exam.id, userId)
          setRead(true)
        }}
      >
        {t('form.lostRead')}
      </Button>
    </Callout>
  )
}

/** What appears is brought into sight: the button that called for it stands at the far end of the page. */
const Seen = ({ children }: { readonly children: ReactNode }) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => void place.current?.scrollIntoView({ block: 'center' }), [])
  return <div ref={place}>{children}</div>
}

export const RefusalNotice = ({ refusal, onInsist }: { readonly refusal: Refusal; readonly onInsist: () => void }) => {
  const t = useT(formTexts)
  const { conditions, message, appeal, posts, mayInsist, isNews } = refusal
  return (
    <Seen>
      <Callout tone={isNews ? 'success' : 'danger'} live>
        <strong>{posts === undefined ? message : t('form.conditions', { posts: listOf(posts) })}</strong>
        {appeal !== undefined && <Link href={appeal}>{t('form.taken')}</Link>}
        {conditions.length > 0 && (
          <ul className="p-plain">
            {conditions.map(item => (
              <li key={`${item.rule}-${item.choice}`}>{t('form.condition', { label: item.ruleLabel, need: item.need, got: item.got })}</li>
            ))}
          </ul>
        )}
        {mayInsist && (
          <>
            <p>{t('form.insistHint')}</p>
            <Button onClick={onInsist}>{t('form.insist')}</Button>
          </>
        )}
      </Callout>
    </Seen>
  )
}

/** More names than these fill the screen of a phone before the form begins. */
const problemsNamed = 8

interface ProblemsProps {
  readonly problems: readonly Problem[]
  readonly onGo: (to: StepNo, key?: string) => void
}
/** Everything that is wrong, as a way to each place; one alone stands at its field. */
export const ProblemsNotice = ({ problems, onGo }: ProblemsProps) => {
  const t = useT(formTexts)
  if (problems.length < 2) return null
  return (
    <Callout tone="danger">
      <strong>{t('form.problems', { count: problems.length })}</strong>
      <ul className="p-plain">
        {problems.slice(0, problemsNamed).map(problem => (
          <li key={problem.key}>
            <Button look="text" onClick={() => onGo(problem.step, problem.key)}>
              {problem.message}
            </Button>
          </li>
        ))}
      </ul>
      {problems.length > problemsNamed && <p>{t('form.problems.more', { count: problems.length - problemsNamed })}</p>}
    </Callout>
  )
}
