import { serverNow } from '#web/kernel/clock.ts'
import { endMinuteOf, epochOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { RichText } from '#web/kernel/rich-text.tsx'
import { Card } from '../kit/card.tsx'
import { Tick } from '../kit/field.tsx'
import { Facts } from '../kit/page-ui.tsx'
import { Button } from '../kit/ui.tsx'
import type { SignupForm } from '../wire.ts'
import { askedFiles, type FormValues, isReadOnly, type StepNo, todayOf, toInput } from './model.ts'
import { Paper } from './paper.tsx'
import { SignatureField } from './signature-field.tsx'
import { type FormStore, problemOf } from './store.ts'
import { formTexts } from './texts.ts'

/** What was uploaded: the printed form has the photo alone. */
const HandedFiles = ({
  form,
  values,
  onEdit,
}: {
  readonly form: SignupForm
  readonly values: FormValues
  readonly onEdit?: () => void
}) => {
  const t = useT(formTexts)
  return (
    <Card
      title={t('form.preview.files')}
      more={
        onEdit && (
          <Button look="text" onClick={onEdit}>
            {t('form.preview.edit')}
            <span className="p-hidden">{t('form.preview.files')}</span>
          </Button>
        )
      }
    >
      <Facts
        facts={askedFiles(form, values.content).map(rule => {
          const names = values.files.filter(file => file.fileKey === rule.fileKey).map(file => file.name)
          return { name: rule.fileLabel, value: names.join(t('form.preview.and')) || '—' }
        })}
      />
    </Card>
  )
}

/** The form as the server prints it, of these answers; what takes no change stands as it was handed in. */
const paperInput = (form: SignupForm, values: FormValues, signature: string) => {
  if (isReadOnly(form)) return { examId: form.exam.id }
  const { id: _, ...input } = toInput(form, values, todayOf(serverNow()))
  return { ...input, ...(signature === '' ? {} : { signatureFileId: signature }) }
}

/** Last step: everything once more, the undertaking, and the tick that goes with it. */
export const ReviewStep = ({
  form,
  store,
  onEdit,
}: {
  readonly form: SignupForm
  readonly store: FormStore
  readonly onEdit: (step: StepNo, field?: string) => void
}) => {
  const t = useT(formTexts)
  const { values, problems, promise, signature } = store()
  const readOnly = isReadOnly(form)
  const mayEditLater = serverNow() < epochOf(form.exam.signEnd)
  return (
    <div className="p-stack p-gap-l">
      <section className="p-stack">
        <h2>{t('form.preview')}</h2>
        {!readOnly && (
          <p className="p-small p-soft">
            {t('form.preview.hint')} {mayEditLater && t('form.preview.later', { time: endMinuteOf(form.exam.signEnd) })}
          </p>
        )}
        <Paper input={paperInput(form, values, signature)} {...(readOnly ? {} : { onEdit })} />
      </section>
      <HandedFiles form={form} values={values} {...(readOnly ? {} : { onEdit: () => onEdit(3) })} />
      <Card title={t('form.promise.title')}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling text must be reachable by keyboard */}
        <section className="p-promise" tabIndex={0} aria-label={t('form.promise.title')}>
          {/<[a-z]/i.test(form.exam.promise) ? <RichText html={form.exam.promise} /> : form.exam.promise}
        </section>
        {!readOnly && (
          <div data-field="promise">
            <Tick
              name="promise"
              checked={promise}
              error={problemOf(problems, 'promise')}
              onChange={checked =>
                store.setState(state => ({ promise: checked, problems: state.problems.filter(problem => problem.key !== 'promise') }))
              }
            >
              {t('form.promise.tick')}
            </Tick>
          </div>
        )}
        {!readOnly && form.exam.needSignature && (
          <div data-field="signature">
            <SignatureField
              item={{ itemKey: 'signature', itemLabel: t('form.sign.title'), fieldType: 'signature', required: true }}
              value={signature}
              error={problemOf(problems, 'signature')}
              onChange={fileId =>
                // Another signature is another input: it is sent under a key of its own.
                store.setState(state => ({
                  signature: fileId,
                  revision: state.revision + 1,
                  problems: state.problems.filter(problem => problem.key !== 'signature'),
                }))
              }
            />
          </div>
        )}
      </Card>
    </div>
  )
}
