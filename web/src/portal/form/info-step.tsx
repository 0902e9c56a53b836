import type { OpenParts } from '#contract/signup/content-diff.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { useLang } from '#web/kernel/i18n/index.ts'
import type { SignupForm } from '../wire.ts'
import { ItemField } from './item-field.tsx'
import { contentProblems, isItemOpen, isOwnAnswer, itemsOf, todayOf, visibleItems } from './model.ts'
import { answer, type FormStore, setProblems } from './store.ts'

/** Second step: the fields of the exam in their groups. A field is checked when it is left, by the rules the server uses. */
export const InfoStep = ({
  form,
  store,
  parts,
  onLeave,
}: {
  readonly form: SignupForm
  readonly store: FormStore
  readonly parts: OpenParts | null
  /** A field was left: a good moment to save. */
  readonly onLeave: () => void
}) => {
  const lang = useLang()
  const { values, problems, judged } = store()
  const items = itemsOf(form)
  const visible = visibleItems(items, values.content)
  const today = todayOf(serverNow())
  const advices = form.signup?.examine === 3 ? (form.signup.advisementList ?? []) : []
  const left = (key: string) => {
    const own = (name: string) => name === key || name.startsWith(`${key}.`)
    const { content } = store.getState().values
    const typed = content[key]
    const mine = typed === undefined || typed === '' ? [] : contentProblems(items, content, today, lang).filter(problem => own(problem.key))
    setProblems(store, mine, own)
    onLeave()
  }
  return (
    <div className="p-stack p-gap-l">
      {form.groups.map(group => {
        const shown = group.items.filter(item => visible.has(item.itemKey))
        return shown.length === 0 ? null : (
          <section key={group.name} className="p-card p-stack p-gap-l">
            <h2>{group.name}</h2>
            <div className="p-form-grid">
              {shown.map(item => (
                <ItemField
                  key={item.itemKey}
                  item={judged.demanded.includes(item.itemKey) ? { ...item, required: true } : item}
                  value={values.content[item.itemKey]}
                  problems={problems}
                  own={isOwnAnswer(form, item.itemKey)}
                  locked={!isItemOpen(parts, item.itemKey)}
                  advice={advices.find(advice => advice.kind !== 'file' && advice.key === item.itemKey)}
                  onChange={(key, value) => answer(store, key, value, today)}
                  onBlur={left}
                />
              ))}
            </div>
          </section>
        )
      })}
    </div>
  )
}
