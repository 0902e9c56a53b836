import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { objectionStates } from '#contract/selection/selection.state.ts'
import { api } from '#web/kernel/api.ts'
import { endMinuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useSaid } from '#web/kernel/said.ts'
import { HeardText, NoteDialog } from '#web/resource/heard.tsx'
import { ToldLines } from '#web/resource/told.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { StateTag, useStateOptions } from '#web/ui/state-tag.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { stageTexts } from './texts.ts'

/** Records an objection to a person whose list is public. */
export const ObjectionDialog = ({
  person,
  onDone,
  onClose,
}: {
  readonly person: { readonly signupId: string; readonly name: string }
  readonly onDone: () => void
  readonly onClose: () => void
}) => {
  const t = useT(stageTexts)
  const [content, setContent] = useState('')
  const [source, setSource] = useState('')
  const [wrong, setWrong] = useSaid<string | undefined>(undefined)
  const run = async (): Promise<boolean> => {
    setWrong(content.trim() === '' ? t('objection.content.bad') : undefined)
    if (content.trim() === '') return false
    try {
      await api.call('POST /blade-signup/selection/addObjection', {
        ...{ signupId: person.signupId, content: content.trim() },
        ...(source.trim() === '' ? {} : { source: source.trim() }),
      })
    } catch {
      return false // Said already.
    }
    notify('success', t('objection.done'))
    onDone()
    return true
  }
  return (
    <ActionDialog
      title={t('stages.objection')}
      actions={[{ label: t('action.save'), run }]}
      hasChanges={() => content !== '' || source !== ''}
      onClose={onClose}
    >
      <p>{t('objection.lead', { name: person.name })}</p>
      <LabelledInput label={t('objection.content')} error={wrong} rows={4} maxLength={1_000} value={content} onChange={setContent} />
      <LabelledInput label={t('objection.source')} maxLength={100} value={source} onChange={setSource} />
    </ActionDialog>
  )
}

const Decide = ({ id, onDone }: { readonly id: string; readonly onDone: () => void }) => {
  const t = useT(stageTexts)
  const [state, setState] = useState<2 | 3>(2)
  const [decision, setDecision] = useState('')
  const [wrong, setWrong] = useSaid<string | undefined>(undefined)
  const save = async () => {
    setWrong(decision.trim() === '' ? t('judge.remark.bad') : undefined)
    if (decision.trim() === '') return
    const done = await api.call('POST /blade-signup/selection/endObjection', { id, state, decision: decision.trim() }).catch(() => null)
    if (done === null) return
    notify('success', t('rule.saved'))
    onDone()
  }
  return (
    <div>
      <LabelledSelect
        label={t('objection.finding')}
        value={state}
        onChange={setState}
        options={useStateOptions(objectionStates, 'open').map(one => ({ ...one, value: Number(one.value) as 2 | 3 }))}
      />
      <LabelledInput label={t('objection.decision')} error={wrong} rows={2} maxLength={1_000} value={decision} onChange={setDecision} />
      <button type="button" className="button" onClick={() => void save()}>
        {t('action.save')}
      </button>
    </div>
  )
}

/** Objections of an examination, open ones first, and what they came to. */
export const ObjectionsDialog = ({
  examId,
  onDone,
  onClose,
}: {
  readonly examId: string
  readonly onDone: () => void
  readonly onClose: () => void
}) => {
  const t = useT(stageTexts)
  const can = useCan()
  const [deciding, setDeciding] = useState<string | null>(null)
  const [noting, setNoting] = useState<string | null>(null)
  const list = useQuery({
    queryKey: ['selection-objections', examId],
    queryFn: ({ signal }) => api.call('GET /blade-signup/selection/objections', { examId }, { signal }),
    gcTime: 0,
  })
  return (
    <ActionDialog title={t('stages.list')} size="two" onClose={onClose}>
      <Loaded query={list} skeletonRows={3}>
        {rows =>
          rows.length === 0 ? (
            <p>{t('objection.none')}</p>
          ) : (
            <ul className="sel-lines">
              {rows.map(row => (
                <li key={row.id}>
                  <b>
                    {row.code} {row.name}
                  </b>
                  <StateTag of={objectionStates} wire={row.state} />
                  <span>{row.content}</span>
                  {row.source === null ? null : <span>{row.source}</span>}
                  <small>{t('objection.by', { name: row.byName, time: row.time.slice(0, 16) })}</small>
                  {row.state === 1 && row.answerUntil !== null ? (
                    <small>{t('objection.until', { time: endMinuteOf(row.answerUntil) })}</small>
                  ) : null}
                  {row.state === 1 && can('selection_edit') ? <ToldLines of={`objection-${row.id}`} /> : null}
                  <HeardText of={row} />
                  {row.decision === null ? null : <span>{row.decision}</span>}
                  {row.state === 1 && can('selection_edit') && row.confirmed !== 'own' ? (
                    <button type="button" className="button button-small" onClick={() => setNoting(row.id)}>
                      {t('objection.note')}
                    </button>
                  ) : null}
                  {noting === row.id ? (
                    <NoteDialog
                      base="/blade-signup/objection"
                      of={row}
                      onClose={() => setNoting(null)}
                      onDone={() => void list.refetch()}
                    />
                  ) : null}
                  {row.state === 1 && can('selection_edit') && deciding !== row.id ? (
                    <button type="button" className="button button-small" onClick={() => setDeciding(row.id)}>
                      {t('objection.end')}
                    </button>
                  ) : null}
                  {deciding === row.id ? (
                    <Decide
                      id={row.id}
                      onDone={() => {
                        setDeciding(null)
                        void list.refetch()
                        onDone()
                      }}
                    />
                  ) : null}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </ActionDialog>
  )
}
