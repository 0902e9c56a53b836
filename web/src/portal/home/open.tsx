import { useT } from '#web/kernel/i18n/index.ts'
import type { Reading, ReadOutput } from '../calls.ts'
import { ExamListCard } from '../exam/card.tsx'
import { Empty, SectionHead } from '../kit/blocks.tsx'
import { Load } from '../kit/load.tsx'
import { Link } from '../kit/router.tsx'
import { ButtonLink } from '../kit/ui.tsx'
import { openFirst } from './open-exams.ts'
import { openTexts } from './open-texts.ts'

/** What can be joined now; comes beside the answer that it draws. */
export const OpenExams = ({ exams }: { readonly exams: Reading<ReadOutput<'examList'>> }) => {
  const t = useT(openTexts)
  return (
    <section className="p-stack">
      <SectionHead title={t('home.open')} side={<Link href="/signup/examList">{t('home.all')}</Link>} />
      <Load query={exams} skeleton={[148, 148]}>
        {page => {
          const open = openFirst(page.records, 5)
          return open.length === 0 ? (
            <Empty text={t('home.noOpen')} hint={t('home.noOpenHint')}>
              <ButtonLink to="/signup/examList">{t('home.all')}</ButtonLink>
            </Empty>
          ) : (
            open.map(exam => <ExamListCard key={exam.id} exam={exam} heading="h3" />)
          )
        }}
      </Load>
    </section>
  )
}
