import { useT } from '../kernel/i18n/index.ts'
import { uiTexts } from './texts.ts'

/** Where a person is in a sequence; `now` counts from 0. */
export const Stepper = ({ steps, now }: { readonly steps: readonly string[]; readonly now: number }) => {
  const t = useT(uiTexts)
  return (
    <ol className="steps" aria-label={t('steps.label')}>
      {steps.map((step, index) => {
        const state = index < now ? 'done' : index === now ? 'now' : 'later'
        return (
          <li key={step} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
            <span className="step-mark" aria-hidden="true">
              {state === 'done' ? '✓' : index + 1}
            </span>
            {step}
            {state === 'done' ? <span className="visually-hidden">{t('steps.done')}</span> : null}
          </li>
        )
      })}
    </ol>
  )
}
