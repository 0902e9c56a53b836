import { useT } from '#web/kernel/i18n/index.ts'
import { editTexts } from '../texts-edit.ts'
import type { ReleaseProblem } from '../wire.ts'

/** What the step that is open still lacks before the release. */
export const StepLacks = ({ missing }: { readonly missing: readonly ReleaseProblem[] }) => {
  const t = useT(editTexts)
  return (
    <section className="exam-warning exam-lacks">
      <h2>{t('lacks.title')}</h2>
      <ul>
        {missing.map(({ path, msg }) => (
          <li key={`${path} ${msg}`}>{msg}</li>
        ))}
      </ul>
    </section>
  )
}
