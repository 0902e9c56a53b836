import { useT } from '#web/kernel/i18n/index.ts'
import { Callout } from '../kit/page-ui.tsx'
import { Link } from '../kit/router.tsx'
import type { SignupForm } from '../wire.ts'
import type { Problem, StepNo } from './model.ts'
import type { FormStore } from './store.ts'
import { formTexts } from './texts.ts'

const stepNos = [1, 2, 3, 4] as const
export const stepKeys = { 1: 'form.step.1', 2: 'form.step.2', 3: 'form.step.3', 4: 'form.step.4' } as const

export const Steps = ({
  step,
  problems,
  onGo,
}: {
  readonly step: StepNo
  readonly problems: readonly Problem[]
  readonly onGo: (step: StepNo) => void
}) => {
  const t = useT(formTexts)
  return (
    <nav aria-label={t('form.steps')}>
      <ol className="p-plain p-steps">
        {stepNos.map(no => {
          const wrong = problems.some(problem => problem.step === no)
          return (
            <li key={no}>
              <button
                type="button"
                className={no === step ? 'is-now' : wrong ? 'is-wrong' : no < step ? 'is-done' : undefined}
                aria-current={no === step ? 'step' : undefined}
                onClick={() => onGo(no)}
              >
                {no}. {t(stepKeys[no])}
                {wrong && no !== step && ' !'}
              </button>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

export const clock = (ms: number): string => new Date(ms + 8 * 3_600_000).toISOString().slice(11, 19)

export const SaveState = ({ store }: { readonly store: FormStore }) => {
  const t = useT(formTexts)
  const save = store(state => state.save)
  const open = store(state => state.conflicts.length)
  // What waits for a choice is saved nowhere, whatever became of the rest.
  if (open > 0 && save.kind !== 'local' && save.kind !== 'refused')
    return <span className="is-warning">{t('form.save.choose', { count: open })}</span>
  const text = {
    idle: () => t('form.save.idle'),
    dirty: () => t('form.save.dirty'),
    saving: () => t('form.save.saving'),
    saved: () => t('form.save.saved', { time: save.kind === 'saved' ? clock(save.atMs) : '' }),
    local: () => t('form.save.local'),
    refused: () => t('form.save.refused', { reason: save.kind === 'refused' ? save.reason : '' }),
  }[save.kind]()
  return <span className={save.kind === 'local' ? 'is-warning' : save.kind === 'refused' ? 'is-danger' : undefined}>{text}</span>
}

/** Why the form can be read but not sent: the state of the sign-up says it better than a closed window. */
export const Closed = ({ form }: { readonly form: SignupForm }) => {
  const t = useT(formTexts)
  const state = form.signup?.examine
  if (state === 5)
    return (
      <Callout tone="success">
        <strong>{t('form.passed')}</strong>
        <p>{t('form.passedHint')}</p>
        <Link href="/signup/myExam">{t('form.done.mine')}</Link>
      </Callout>
    )
  if (state === 1 || state === 2) return <Callout tone="active">{t('form.inReview')}</Callout>
  return (
    <Callout tone="danger">
      <strong>{t('form.cannot')}</strong>
      <p>{form.reason}</p>
    </Callout>
  )
}
