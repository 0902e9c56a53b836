import { useT } from '#web/kernel/i18n/index.ts'
import { ExamMissing } from '#web/resource/exam-missing.tsx'
import { useExamChoice } from '#web/resource/within.tsx'
import { usePage } from '#web/shell/page-context.tsx'
import { Names } from './names.tsx'
import { Posts } from './posts.tsx'
import { reductionTexts } from './texts.ts'
import './reduction.css'

const views = ['posts', 'names'] as const

/** Posts below the ratio, what is decided about them, and where their people go (domain 6.1 岗位核减与改报). */
export const Page = () => {
  const t = useT(reductionTexts)
  const { search, setSearch } = usePage()
  const { examId, bar, none } = useExamChoice(true)
  if (none || examId === null) return <ExamMissing text={t('noExam')} />
  const view = search.get('view') === 'names' ? 'names' : 'posts'
  const above = (
    <>
      {bar}
      <nav className="reduction-views" aria-label={t('title')}>
        {views.map(one => (
          <button
            key={one}
            type="button"
            className="button"
            aria-current={view === one ? 'page' : undefined}
            onClick={() => setSearch({ examId, view: one === 'posts' ? null : one })}
          >
            {t(`tab.${one}`)}
          </button>
        ))}
      </nav>
    </>
  )
  return view === 'names' ? <Names key={examId} examId={examId} above={above} /> : <Posts key={examId} examId={examId} above={above} />
}
