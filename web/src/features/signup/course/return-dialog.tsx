import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCall } from '#web/kernel/query.ts'
import { useSaid } from '#web/kernel/said.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Check, LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { standingTexts } from './standing-texts.ts'

/** Numbers of domain 13.2 and 4.2. */
const tooLate = 2206
const extensionHours = 24

interface Line {
  readonly id: number
  /** `item:major`, `file:diploma`; empty while nothing is chosen. */
  readonly part: string
  readonly advice: string
}
interface Props {
  readonly signup: { readonly id: string; readonly name: string; readonly signVersion: number }
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Returns a sign-up that has passed: which parts are to be corrected, and why. */
export const ReturnDialog = ({ signup, onDone, onClose }: Props) => {
  const t = useT(standingTexts)
  const info = useCall('GET /blade-signup/examine/getExamineInfo', { signUpId: signup.id }, { quiet: true })
  const [lines, setLines] = useState<readonly Line[]>([{ id: 0, part: '', advice: '' }])
  const [remark, setRemark] = useState('')
  const [late, setLate] = useState(false)
  const [extend, setExtend] = useState(false)
  const [wrong, setWrong] = useSaid<{ readonly lines?: string; readonly remark?: string }>({})
  const parts = [
    ...(info.data?.items ?? []).flatMap(group => group.items.map(item => ({ value: `item:${item.itemKey}`, label: item.itemLabel }))),
    ...Object.entries(info.data?.fileLabels ?? {}).map(([key, label]) => ({ value: `file:${key}`, label })),
  ]
  const change = (id: number, to: Partial<Line>) => setLines(lines.map(line => (line.id === id ? { ...line, ...to } : line)))
  const send = async (): Promise<boolean> => {
    const isWhole = lines.every(line => line.part !== '' && line.advice.trim() !== '')
    const text = remark.trim()
    const found = { ...(isWhole ? {} : { lines: t('return.choose') }), ...(text === '' ? { remark: t('missing') } : {}) }
    setWrong(found)
    if (Object.keys(found).length > 0) return false
    try {
      await api.call(
        'POST /blade-signup/examine/examine',
        {
          ...{ signUpId: signup.id, level: 4, examineResult: 2, examineResultRemark: text, signVersion: signup.signVersion },
          advisementList: lines.map(({ part, advice }) => ({
            kind: part.startsWith('file:') ? ('file' as const) : ('item' as const),
            key: part.slice(5),
            label: parts.find(one => one.value === part)?.label ?? '',
            advice: advice.trim(),
          })),
          ...(extend ? { extendHours: extensionHours } : {}),
        },
        { quiet: 'fields' },
      )
      notify('success', t('return.done'))
      onDone()
      return true
    } catch (error) {
      if (isApiError(error) && error.code === tooLate) setLate(true)
      const said = fieldTexts(error)['examineResultRemark']
      setWrong(said === undefined ? {} : { remark: said })
      return false
    }
  }
  return (
    <ActionDialog
      title={t('title.of', { what: t('action.return'), name: signup.name })}
      actions={[{ label: t('action.return'), run: send, disabled: info.data === undefined }]}
      hasChanges={() => remark !== '' || lines.some(line => line.part !== '' || line.advice !== '')}
      onClose={onClose}
    >
      <p>{t('return.lead')}</p>
      <Loaded query={info} skeletonRows={3}>
        {() => (
          <>
            {lines.map(line => (
              <div key={line.id} className="course-advice">
                <LabelledSelect
                  label={t('return.part')}
                  error={line.part === '' ? wrong.lines : undefined}
                  value={line.part}
                  options={[{ value: '', label: '-' }, ...parts]}
                  onChange={part => change(line.id, { part })}
                />
                <LabelledInput
                  label={t('return.advice')}
                  error={line.part !== '' && line.advice.trim() === '' ? wrong.lines : undefined}
                  maxLength={200}
                  value={line.advice}
                  onChange={advice => change(line.id, { advice })}
                />
                {lines.length === 1 ? null : (
                  <button type="button" className="button button-small" onClick={() => setLines(lines.filter(one => one.id !== line.id))}>
                    {t('return.drop')}
                  </button>
                )}
              </div>
            ))}
            <button
              type="button"
              className="button button-small"
              onClick={() => setLines([...lines, { id: (lines.at(-1)?.id ?? 0) + 1, part: '', advice: '' }])}
            >
              {t('return.add')}
            </button>
            <LabelledInput label={t('return.remark')} error={wrong.remark} rows={3} maxLength={500} value={remark} onChange={setRemark} />
            {late ? <Check label={t('return.extend')} on={extend} onChange={setExtend} /> : null}
          </>
        )}
      </Loaded>
    </ActionDialog>
  )
}
