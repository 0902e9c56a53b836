import { useT } from '#web/kernel/i18n/index.ts'
import { accountTexts } from '../texts.ts'
import '../account.css'

const topics = ['access', 'lock', 'login', 'import', 'conflict', 'review', 'time', 'tabs', 'error'] as const

/** S2.12: questions of members of staff; it opens in a browser tab of its own. */
export const Page = () => {
  const t = useT(accountTexts)
  return (
    <div className="problems">
      <h1>{t('problem.title')}</h1>
      <p>{t('problem.intro')}</p>
      {topics.map(topic => (
        <details key={topic} className="card">
          <summary>{t(`problem.${topic}.q`)}</summary>
          <p>{t(`problem.${topic}.a`)}</p>
        </details>
      ))}
    </div>
  )
}
