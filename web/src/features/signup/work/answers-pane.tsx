import { lazy, type RefObject, Suspense, useState } from 'react'
import { isFoundIn } from '#contract/kernel/search-fold.ts'
import { tidyLine } from '#contract/kernel/tidy-text.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { RevealButton } from '#web/resource/reveal.tsx'
import type { ExamineInfo, FormField } from '../show.ts'
import { reviewTexts } from '../texts.ts'
import { AdviceButton, AdviceNote, type Advising } from './advice-spot.tsx'
import { cannedForItem } from './canned.ts'
import { AnswerValue } from './value.tsx'

/** Stands below everything else, and is read by few. */
const History = lazy(async () => ({ default: (await import('./history.tsx')).History }))
const Asked = lazy(async () => ({ default: (await import('./asked.tsx')).Asked }))

interface Props {
  readonly info: ExamineInfo
  readonly advising: Advising
  readonly search: RefObject<HTMLInputElement | null>
}

/** Of a sign-up that was handed in again. */
const Changed = lazy(async () => ({ default: (await import('./asked.tsx')).Changed }))

/** Right: the answers in the order of the form; after a resubmission only what changed, until the reviewer wants everything. */
export const AnswersPane = ({ info, advising, search }: Props) => {
  const t = useT(reviewTexts)
  const { signup, items, changedItems } = info
  const [wanted, setWanted] = useState('')
  const [onlyChanged, setOnlyChanged] = useState(changedItems.length > 0)
  const known = new Set(items.flatMap(group => group.items.map(item => item.itemKey)))
  const rest = changedItems.filter(change => !known.has(change.key))
  const needle = tidyLine(wanted)
  const fits = (item: FormField) => {
    const isChanged = changedItems.some(change => change.key === item.itemKey)
    if (onlyChanged && needle === '' && !isChanged) return false
    const text = `${item.itemLabel} ${item.itemLabelEn} ${item.itemKey} ${signup.contentLabels[item.itemKey] ?? ''}`
    return needle === '' || isFoundIn(text, needle)
  }
  const groups = items.map(group => ({ ...group, items: group.items.filter(fits) })).filter(group => group.items.length > 0)
  return (
    <>
      <div className="pane-head">
        <h2>{t('answers.title')}</h2>
        <input
          ref={search}
          type="search"
          className="input answers-search"
          aria-label={t('answers.search')}
          placeholder={`${t('answers.search')}  /`}
          value={wanted}
          onChange={event => setWanted(event.target.value)}
          onKeyDown={event => {
            if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
            setWanted('')
            event.currentTarget.blur()
          }}
        />
      </div>
      {signup.signVersion > 1 && changedItems.length > 0 ? (
        <div className="changed-bar">
          <fieldset className="segmented" aria-label={t('answers.title')}>
            <button type="button" aria-pressed={onlyChanged} onClick={() => setOnlyChanged(true)}>
              {t('answers.changed', { n: changedItems.length })}
            </button>
            <button type="button" aria-pressed={!onlyChanged} onClick={() => setOnlyChanged(false)}>
              {t('answers.all')}
            </button>
          </fieldset>
          {onlyChanged ? <p className="pane-note">{t('answers.changedHint')}</p> : null}
        </div>
      ) : null}
      {signup.signVersion > 1 ? (
        <Suspense fallback={null}>
          <Asked list={signup.advisementList} />
        </Suspense>
      ) : null}
      {groups.length === 0 && rest.length === 0 ? <p className="pane-note">{t('answers.nothing')}</p> : null}
      {groups.map(group => (
        <section key={group.name} className="answers-group">
          <h3>{group.name}</h3>
          <dl>
            {group.items.map(item => {
              const change = changedItems.find(each => each.key === item.itemKey)
              return (
                <div key={item.itemKey} className="answer" data-changed={change !== undefined}>
                  <dt>{item.itemLabel}</dt>
                  <dd>
                    <AdviceButton advising={advising} pane="answers" kind="item" at={item.itemKey} label={item.itemLabel} />
                    {change === undefined ? (
                      <AnswerValue
                        field={item}
                        value={signup.content[item.itemKey]}
                        words={signup.contentLabels[item.itemKey]}
                        link={info.answerLinks[item.itemKey]}
                      />
                    ) : (
                      <Suspense fallback={null}>
                        <Changed change={change} field={item} />
                      </Suspense>
                    )}
                    {item.itemKey === 'idCard' || item.itemKey === 'phone' ? (
                      <RevealButton signupId={signup.id} name={signup.name ?? ''} field={item.itemKey} />
                    ) : null}
                    <AdviceNote
                      advising={advising}
                      pane="answers"
                      kind="item"
                      at={item.itemKey}
                      label={item.itemLabel}
                      canned={cannedForItem}
                    />
                  </dd>
                </div>
              )
            })}
          </dl>
        </section>
      ))}
      {rest.length > 0 && needle === '' ? (
        <section className="answers-group">
          <h3>{t('answers.more')}</h3>
          <dl>
            {rest.map(change => (
              <div key={change.key} className="answer" data-changed="true">
                <dt>{change.label}</dt>
                <dd>
                  <Suspense fallback={null}>
                    <Changed change={change} field={undefined} />
                  </Suspense>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ) : null}
      <Suspense fallback={null}>
        <History records={signup.records} />
      </Suspense>
    </>
  )
}
