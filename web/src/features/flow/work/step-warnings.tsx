import { useT } from '#web/kernel/i18n/index.ts'
import { workTexts } from './texts.ts'

interface Props {
  readonly warnings: readonly { readonly element: string; readonly elementName: string; readonly text: string }[]
}

/** Steps at which a process would stop, because nobody could take them as things stand. */
export const StepWarnings = ({ warnings }: Props) => {
  const t = useT(workTexts)
  return warnings.length === 0 ? null : (
    <div className="flow-note flow-warning" role="note">
      <p>{t('warnings.lead')}</p>
      <ul className="flow-problems">
        {warnings.map(({ element, elementName, text }) => (
          <li key={element}>
            <strong>{elementName}</strong> {text}
          </li>
        ))}
      </ul>
    </div>
  )
}
