import { type RegionLevels, regionKey } from '#contract/signup/region.ts'
import { endMinuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { Tag } from '../kit/blocks.tsx'
import { Card } from '../kit/card.tsx'
import { Countdown } from '../kit/time.tsx'
import { Button } from '../kit/ui.tsx'
import type { Advisement, SignupForm } from '../wire.ts'
import { deadlineOf, displayValue, type FormValues, fileMended, isMended, itemsOf, spotOfAdvice } from './model.ts'
import { RegionText } from './region-field.tsx'
import { formTexts } from './texts.ts'

/** Old and new value of a mended part. */
const Difference = ({ advice, form, values }: { readonly advice: Advisement; readonly form: SignupForm; readonly values: FormValues }) => {
  const t = useT(formTexts)
  const { signup } = form
  if (!signup) return null
  if (advice.kind === 'file') return <p className="p-diff">{t(fileMended(advice, signup.files))}</p>
  const item = itemsOf(form).find(one => one.itemKey === advice.key)
  const regionOf = (place: Readonly<Record<keyof RegionLevels, string | null>>) => (
    <RegionText province={place.province ?? ''} city={place.city ?? ''} area={place.area ?? ''} />
  )
  const [before, after] =
    advice.kind === 'post'
      ? [signup.codeName ?? signup.code ?? '', values.post?.codeName ?? '']
      : advice.key === regionKey
        ? [regionOf(signup), regionOf(values)]
        : item === undefined
          ? ['', '']
          : [displayValue(item, signup.content[advice.key]), displayValue(item, values.content[advice.key])]
  return (
    <div className="p-diff">
      <span>
        {t('form.fix.old')}
        <del>{before || '—'}</del>
      </span>
      <span>
        {t('form.fix.new')}
        <ins>{after || '—'}</ins>
      </span>
    </div>
  )
}

/** "Change these 2": what the reviewer asks for, with the way there and what has become of it. */
export const AdviceList = ({
  form,
  values,
  signature,
  onGo,
}: {
  readonly form: SignupForm
  readonly values: FormValues
  readonly signature: string
  readonly onGo: (step: 1 | 2 | 3 | 4, key: string) => void
}) => {
  const t = useT(formTexts)
  const list = form.signup?.advisementList ?? []
  const deadline = deadlineOf(form)
  return (
    <Card title={t('form.fix.title', { count: list.length })}>
      <p className="p-small p-soft">
        {t('form.fix.deadline', { time: endMinuteOf(deadline) })} · <Countdown until={deadline} />
        <br />
        {t('form.fix.hint')}
      </p>
      {form.signup?.examineRemark && <p>{form.signup.examineRemark}</p>}
      <p className="p-small">
        {t('form.fix.other')} <a href={`tel:${form.exam.contactPhone}`}>{form.exam.contactPhone}</a>
      </p>
      <ol className="p-plain p-stack">
        {list.map(advice => {
          const mended = isMended(advice, form, values, signature)
          const spot = spotOfAdvice(advice)
          return (
            <li key={`${advice.kind}-${advice.key}`} className="p-stack p-gap-s">
              <div className="p-row-between">
                <span>
                  <strong>{advice.label}</strong>
                  <br />
                  {advice.advice}
                </span>
                {mended ? (
                  <Tag tone="success">{t('form.fix.done')}</Tag>
                ) : (
                  <Button onClick={() => onGo(spot.step, spot.key)}>{t('form.fix.go')}</Button>
                )}
              </div>
              {mended && <Difference advice={advice} form={form} values={values} />}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}
