import { useT } from '#web/kernel/i18n/index.ts'
import { Empty } from '../kit/blocks.tsx'
import { PageTitle } from '../kit/page-ui.tsx'
import { ButtonLink } from '../kit/ui.tsx'
import { comingTexts } from './texts.ts'

const places = {
  publicity: { back: '/', to: '/signup/examList', go: 'toExams' },
  news: { back: '/', to: '/signup/examList', go: 'toExams' },
  adjust: { back: '/signup/myExam', to: '/signup/myExam', go: 'toMine' },
} as const

/** Public notices, news and the change of a post, while nothing was published: what will stand here and where to go meanwhile. */
export const ComingPage = ({ of }: { readonly of: keyof typeof places }) => {
  const t = useT(comingTexts)
  const { back, to, go } = places[of]
  return (
    <>
      <PageTitle back={back} title={t(`${of}.title`)} />
      <Empty text={t(`${of}.none`)} hint={t(`${of}.hint`)}>
        <ButtonLink to={to}>{t(go)}</ButtonLink>
      </Empty>
    </>
  )
}
