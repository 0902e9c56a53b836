import { useState } from 'react'
import { post2Part, postPart } from '#contract/signup/draft-merge.ts'
import { levelsOf, regionKey } from '#contract/signup/region.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { defineTexts, useT } from '#web/kernel/i18n/index.ts'
import { listOf } from '#web/kernel/i18n/list.ts'
import { RadioField } from '../kit/field.tsx'
import { Callout } from '../kit/page-ui.tsx'
import { Sheet } from '../kit/sheet.tsx'
import { Button } from '../kit/ui.tsx'
import type { SignupForm } from '../wire.ts'
import { afterChoice, type Conflict } from './draft.ts'
import { displayValue, type FormValues, itemsOf, partName, postName } from './model.ts'
import { clock } from './parts.tsx'
import { RegionText } from './region-field.tsx'
import type { FormStore } from './store.ts'

const texts = defineTexts(
  {
    'conflict.title': '两处都改了，请选择',
    'conflict.lead': '下列内容在另一台设备或另一个窗口也改过。请为每一项选择要保留的，其余改动已自动合并。',
    'conflict.mine': '本机 {time}：',
    'conflict.theirs': '另一处 {time}：',
    'conflict.none': '（空）',
    'conflict.ok': '按所选保留',
    'conflict.first': '还有内容等您选择。选择后才能继续。',
    'conflict.open': '有 {count} 处两边都改了，还没有保存',
    'conflict.choose': '现在选择',
  },
  {
    'conflict.title': 'Changed in two places: please choose',
    'conflict.lead':
      'These were changed on another device or in another window too. Choose what to keep of each; everything else was merged.',
    'conflict.mine': 'Here, {time}: ',
    'conflict.theirs': 'Elsewhere, {time}: ',
    'conflict.none': '(empty)',
    'conflict.ok': 'Keep what I chose',
    'conflict.first': 'There is something left to choose. Choose first, then go on.',
    'conflict.open': '{count|field was|fields were} changed in two places and not saved yet',
    'conflict.choose': 'Choose now',
  },
)

/** A field of a form as people read it. */
const Shown = ({ form, values, field }: { readonly form: SignupForm; readonly values: FormValues; readonly field: string }) => {
  const t = useT(texts)
  const { province, city, area } = values
  if (field === regionKey) return <RegionText {...{ province, city, area }} />
  const post = field === postPart ? values.post : field === post2Part ? values.post2 : undefined
  if (post !== undefined) return <>{post === null ? t('conflict.none') : postName(post)}</>
  if (field.startsWith('file:')) {
    const names = values.files.filter(file => `file:${file.fileKey}` === field).map(file => file.name)
    return <>{names.length === 0 ? t('conflict.none') : listOf(names)}</>
  }
  const item = itemsOf(form).find(one => one.itemKey === field)
  const value = values.content[field]
  if (item?.fieldType === 'region' && typeof value === 'string') return <RegionText {...levelsOf(value)} />
  return <>{displayValue(item ?? { fieldType: 'text' }, value) || t('conflict.none')}</>
}

/** One field that two devices have changed: both values, and a choice. The later one is chosen to begin with. */
const ConflictSheet = ({ form, store }: { readonly form: SignupForm; readonly store: FormStore }) => {
  const t = useT(texts)
  const { conflicts, values, edits, asking } = store()
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const mineAt = (key: string): number => edits[key]?.at ?? 0
  const choiceOf = ({ key, at }: Conflict): string => chosen[key] ?? (mineAt(key) >= at ? 'mine' : 'theirs')
  const keep = () =>
    store.setState(state => ({
      ...afterChoice(state, key => conflicts.some(one => one.key === key && choiceOf(one) === 'mine'), Math.round(serverNow())),
      revision: state.revision + 1,
      save: { kind: 'dirty' },
      refusal: null,
      asking: 'now',
    }))
  return (
    <Sheet
      title={t('conflict.title')}
      firm
      // Put off and not decided: both values stay, and the note leads back here.
      onClose={() => store.setState({ asking: 'later' })}
      foot={
        <Button look="primary" onClick={keep}>
          {t('conflict.ok')}
        </Button>
      }
    >
      {asking === 'first' && (
        <Callout tone="warning" live>
          {t('conflict.first')}
        </Callout>
      )}
      <p className="p-small p-soft">{t('conflict.lead')}</p>
      {conflicts.map(conflict => (
        <RadioField
          key={conflict.key}
          name={`conflict-${conflict.key}`}
          label={partName(form, conflict.key)}
          options={[
            {
              value: 'mine',
              label: (
                <>
                  {t('conflict.mine', { time: clock(mineAt(conflict.key)) })}
                  <strong>
                    <Shown form={form} values={values} field={conflict.key} />
                  </strong>
                </>
              ),
            },
            {
              value: 'theirs',
              label: (
                <>
                  {t('conflict.theirs', { time: clock(conflict.at) })}
                  <strong>
                    <Shown form={form} values={conflict.theirs} field={conflict.key} />
                  </strong>
                </>
              ),
            },
          ]}
          value={choiceOf(conflict)}
          onChange={value => setChosen({ ...chosen, [conflict.key]: value })}
        />
      ))}
    </Sheet>
  )
}

/** What waits for a choice: a note that names it and, unless it was put off, the sheet that asks. */
export const Conflicts = ({ form, store }: { readonly form: SignupForm; readonly store: FormStore }) => {
  const t = useT(texts)
  const { conflicts, asking } = store()
  return (
    <>
      <Callout tone="warning" live>
        <strong>{t('conflict.open', { count: conflicts.length })}</strong>
        <p>{listOf(conflicts.map(({ key }) => partName(form, key)))}</p>
        <Button look="primary" onClick={() => store.setState({ asking: 'now' })}>
          {t('conflict.choose')}
        </Button>
      </Callout>
      {asking !== 'later' && <ConflictSheet form={form} store={store} />}
    </>
  )
}
