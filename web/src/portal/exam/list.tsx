import { type FormEvent, useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { useRead } from '../calls.ts'
import { Empty } from '../kit/blocks.tsx'
import { Load } from '../kit/load.tsx'
import { SearchIcon } from '../kit/page-icons.tsx'
import { PageTitle } from '../kit/page-ui.tsx'
import { Button } from '../kit/ui.tsx'
import { ExamListCard } from './card.tsx'
import { examTexts } from './texts.ts'

const step = 20

/** All released exams, those open for sign-up first as the server orders them. */
export const ExamListPage = () => {
  const t = useT(examTexts)
  const [typed, setTyped] = useState('')
  const [keyword, setKeyword] = useState('')
  const [size, setSize] = useState(step)
  const exams = useRead('examList', { current: 1, size, ...(keyword === '' ? {} : { keyword }) }, { keep: true })
  const search = (event: FormEvent) => {
    event.preventDefault()
    setKeyword(typed.trim())
    setSize(step)
  }
  return (
    <>
      <PageTitle title={t('exam.list')} />
      <div className="p-stack">
        <search>
          <form className="p-with-button" onSubmit={search}>
            <input
              className="p-input"
              type="search"
              aria-label={t('exam.search')}
              placeholder={t('exam.search')}
              value={typed}
              onChange={event => setTyped(event.target.value)}
              enterKeyHint="search"
            />
            <Button type="submit" aria-label={t('exam.search')}>
              <SearchIcon />
            </Button>
          </form>
        </search>
        <Load query={exams} skeleton={[148, 148, 148]}>
          {page =>
            page.records.length === 0 ? (
              <Empty text={t('exam.none')} hint={t('exam.noneHint')} />
            ) : (
              <>
                <div className="p-stack p-grid-2">
                  {page.records.map(exam => (
                    <ExamListCard key={exam.id} exam={exam} heading="h2" />
                  ))}
                </div>
                {page.total > page.records.length && size < 200 && (
                  <Button block busy={exams.isFetching} onClick={() => setSize(Math.min(200, size + step))}>
                    {t('exam.more')}
                  </Button>
                )}
              </>
            )
          }
        </Load>
      </div>
    </>
  )
}
