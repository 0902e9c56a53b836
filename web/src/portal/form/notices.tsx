import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { Callout } from '../kit/page-ui.tsx'
import { Link } from '../kit/router.tsx'
import { Button } from '../kit/ui.tsx'
import type { SignupForm } from '../wire.ts'
import type { Problem, StepNo } from './model.ts'
import { Closed, clock } from './parts.tsx'
import { formTexts } from './texts.ts'
import type { Refusal } from './use-submit.ts'

/** How the sign-up stands before anything is typed: closed, handed in already, refused. */
export const StateNotices = ({ form, appealing }: { readonly form: SignupForm; readonly appealing: boolean }) => {
  const t = useT(formTexts)
  const { signup } = form
  if (!form.canSubmit) return <Closed form={form} />
  if (signup?.examine === 1) return <Callout tone="active">{t('form.already')}</Callout>
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

/** What appears is brought into sight: the button that called for it stands at the far end of the page. */
const Seen = ({ children }: { readonly children: ReactNode }) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => void place.current?.scrollIntoView({ block: 'center' }), [])
  return <div ref={place}>{children}</div>
}

export const RefusalNotice = ({ refusal }: { readonly refusal: Refusal }) => {
  const t = useT(formTexts)
  const { conditions, message, appeal } = refusal
  return (
    <Seen>
      <Callout tone="danger" live>
        <strong>{conditions.length > 0 ? t('form.conditions') : message}</strong>
        {appeal !== undefined && <Link href={appeal}>{t('form.taken')}</Link>}
        {conditions.length > 0 && (
          <ul className="p-plain">
            {conditions.map(item => (
              <li key={item.rule}>{t('form.condition', { label: item.ruleLabel, need: item.need, got: item.got })}</li>
            ))}
          </ul>
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
