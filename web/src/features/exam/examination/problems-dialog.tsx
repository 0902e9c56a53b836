import { useT } from '#web/kernel/i18n/index.ts'
import { stepOfPath } from '#web/resource/exam-steps.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { examTexts } from '../texts.ts'
import type { ReleaseProblem } from '../wire.ts'
import '../exam.css'

/** What keeps an examination from being released, each with the way to the step of the wizard where it is mended. */
export const ProblemList = ({
  problems,
  onGo,
}: {
  readonly problems: readonly ReleaseProblem[]
  readonly onGo: (step: number) => void
}) => {
  const t = useT(examTexts)
  return (
    <ol className="exam-problems">
      {problems.map(problem => {
        const step = stepOfPath(problem.path)
        return (
          <li key={`${problem.path} ${problem.msg}`}>
            <span>{problem.msg}</span>
            {step === null ? null : (
              <button type="button" className="link-button" onClick={() => onGo(step)}>
                {t('problems.go')}
              </button>
            )}
          </li>
        )
      })}
    </ol>
  )
}

export const ProblemsDialog = ({
  name,
  problems,
  onGo,
  onClose,
}: {
  readonly name: string
  readonly problems: readonly ReleaseProblem[]
  readonly onGo: (step: number) => void
  readonly onClose: () => void
}) => {
  const t = useT(examTexts)
  return (
    <ActionDialog title={t('problems.title')} onClose={onClose}>
      <p>{t('problems.lead', { name, count: problems.length })}</p>
      <ProblemList problems={problems} onGo={onGo} />
    </ActionDialog>
  )
}
