import { commonQuestions } from '#contract/exam/common-questions.ts'
import { defineTexts, useLabel, useT } from '#web/kernel/i18n/index.ts'
import { PageTitle } from '../kit/page-ui.tsx'

const problemTexts = defineTexts({ 'problem.title': '常见问题' }, { 'problem.title': 'Common questions' })

export const ProblemPage = () => {
  const t = useT(problemTexts)
  const say = useLabel()
  return (
    <>
      <PageTitle back="/" title={t('problem.title')} />
      <div className="p-stack">
        {commonQuestions.map(({ key, q, a }) => (
          <details key={key} className="p-card p-fold">
            <summary>{say(q)}</summary>
            <p className="p-soft">{say(a)}</p>
          </details>
        ))}
      </div>
    </>
  )
}
