import { useState } from 'react'
import type { OpenParts } from '#contract/signup/content-diff.ts'
import { isEmptyValue } from '#contract/signup/empty-value.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { defineTexts, useLang, useT } from '#web/kernel/i18n/index.ts'
import { listOf } from '#web/kernel/i18n/list.ts'
import type { SignItem, SignupForm } from '../wire.ts'
import { ItemField } from './item-field.tsx'
import { contentProblems, isItemOpen, isOwnAnswer, itemsOf, todayOf, visibleItems } from './model.ts'
import { answer, type FormStore, setProblems } from './store.ts'

const texts = defineTexts(
  { subjects: '信息分项', rest: '岗位没有要求的（选填）：{names}' },
  { subjects: 'Subjects', rest: 'No chosen post asks for these (optional): {names}' },
)

/** Answers that matter to posts which ask for them, and to no other. */
const ofPosts = new Set(['certName', 'title', 'titleDate', 'workYears', 'firstWorkDate', 'residency', 'insured'])

/** Second step, one subject a page. A field is checked when it is left, by the rules the server uses; what only other posts ask for is folded away. */
export const InfoStep = ({
  form,
  groups,
  subjects,
  subject,
  store,
  parts,
  onSubject,
  onLeave,
}: {
  readonly form: SignupForm
  /** What this page is about. */
  readonly groups: SignupForm['groups']
  /** The names of all pages of this step, and which it is, counted from 1. */
  readonly subjects: readonly string[]
  readonly subject: number
  readonly onSubject: (to: number) => void
  readonly store: FormStore
  readonly parts: OpenParts | null
  /** A field was left: a good moment to save. */
  readonly onLeave: () => void
}) => {
  const t = useT(texts)
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
  // Where it stands is settled when the page opens: a field must not move away under who types into it.
  const [blank] = useState(() => new Set(items.map(item => item.itemKey).filter(key => isEmptyValue(values.content[key]))))
  const isFolded = (item: SignItem): boolean =>
    parts === null && !item.required && ofPosts.has(item.itemKey) && !judged.demanded.includes(item.itemKey) && blank.has(item.itemKey)
  const fieldOf = (item: SignItem) => (
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
  )
  return (
    <div className="p-stack p-gap-l">
      {subjects.length > 1 && (
        <nav aria-label={t('subjects')}>
          <ol className="p-plain p-subjects">
            {subjects.map((name, at) => (
              <li key={name}>
                <button type="button" aria-current={at + 1 === subject ? 'step' : undefined} onClick={() => onSubject(at + 1)}>
                  {name}
                </button>
              </li>
            ))}
          </ol>
        </nav>
      )}
      {groups.map(group => {
        const shown = group.items.filter(item => visible.has(item.itemKey))
        const rest = shown.filter(isFolded)
        return shown.length === 0 ? null : (
          <section key={group.name} className="p-card p-stack p-gap-l">
            <h2>{group.name}</h2>
            <div className="p-form-grid">{shown.filter(item => !isFolded(item)).map(fieldOf)}</div>
            {rest.length > 0 && (
              <details className="p-fold">
                <summary>{t('rest', { names: listOf(rest.map(item => item.itemLabel)) })}</summary>
                <div className="p-form-grid">{rest.map(fieldOf)}</div>
              </details>
            )}
          </section>
        )
      })}
    </div>
  )
}
