import { levelsOf } from '#contract/signup/region.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { endMinuteOf, epochOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { RichText } from '#web/kernel/rich-text.tsx'
import { Card } from '../kit/card.tsx'
import { Tick } from '../kit/field.tsx'
import { Facts } from '../kit/page-ui.tsx'
import { Button } from '../kit/ui.tsx'
import type { SignItem, SignupForm } from '../wire.ts'
import { askedFiles, displayValue, type FormValues, isReadOnly, itemsOf, type StepNo, visibleItems } from './model.ts'
import { RegionText } from './region-field.tsx'
import { SignatureField } from './signature-field.tsx'
import { type FormStore, problemOf } from './store.ts'
import { formTexts } from './texts.ts'

/** A place is kept as its code and read by its name. */
const shownValue = (item: SignItem, value: unknown) => {
  const text = displayValue(item, value)
  return text !== '' && item.fieldType === 'region' ? <RegionText {...levelsOf(text)} /> : text || '—'
}

/** The registration form as it will be handed in. */
export const RegistrationForm = ({
  form,
  values,
  onEdit,
}: {
  readonly form: SignupForm
  readonly values: FormValues
  readonly onEdit?: (step: StepNo) => void
}) => {
  const t = useT(formTexts)
  const visible = visibleItems(itemsOf(form), values.content)
  const edit = (step: StepNo, name: string) =>
    onEdit && (
      <Button look="text" onClick={() => onEdit(step)}>
        {t('form.preview.edit')}
        <span className="p-hidden">{name}</span>
      </Button>
    )
  const { province, city, area } = values
  const region = { province, city, area }
  const photoRule = form.files.find(rule => rule.kind === 1)
  const photo = values.files.find(file => file.fileKey === photoRule?.fileKey)
  return (
    <div className="p-stack p-gap-l">
      <Card title={t('form.preview.post')} more={edit(1, t('form.preview.post'))}>
        <div className="p-row-between">
          <Facts
            facts={[
              { name: t('form.post.first'), value: values.post && `${values.post.codeName}（${values.post.code}）${values.post.unitName}` },
              {
                name: t('form.post.second'),
                value: values.post2 && `${values.post2.codeName}（${values.post2.code}）${values.post2.unitName}`,
              },
              {
                name: form.exam.regionLabel,
                value: form.asksRegion && (province === '' ? '—' : <RegionText {...region} />),
              },
            ]}
          />
          {photo?.link && <img className="p-photo" src={photo.link} alt={t('form.preview.photo')} />}
        </div>
      </Card>
      {form.groups.map(group => (
        <Card key={group.name} title={group.name} more={edit(2, group.name)}>
          <Facts
            facts={group.items
              .filter(item => visible.has(item.itemKey))
              .map(item => ({ name: item.itemLabel, value: shownValue(item, values.content[item.itemKey]) }))}
          />
        </Card>
      ))}
      <Card title={t('form.preview.files')} more={edit(3, t('form.preview.files'))}>
        <Facts
          facts={askedFiles(form, values.content).map(rule => {
            const names = values.files.filter(file => file.fileKey === rule.fileKey).map(file => file.name)
            return { name: rule.fileLabel, value: names.join(t('form.preview.and')) || '—' }
          })}
        />
      </Card>
    </div>
  )
}

/** Last step: everything once more, the undertaking, and the tick that goes with it. */
export const ReviewStep = ({
  form,
  store,
  onEdit,
}: {
  readonly form: SignupForm
  readonly store: FormStore
  readonly onEdit: (step: StepNo) => void
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
        <RegistrationForm form={form} values={values} {...(readOnly ? {} : { onEdit })} />
      </section>
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
