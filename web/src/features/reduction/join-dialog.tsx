import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCall } from '#web/kernel/query.ts'
import { useSaid } from '#web/kernel/said.ts'
import { loadSignups } from '#web/resource/signup-rows.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { reductionTexts } from './texts.ts'

/** Puts people on the list of a cancelled post by their sign-up numbers. */
export const JoinDialog = ({
  examId,
  onClose,
  onDone,
}: {
  readonly examId: string
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const t = useT(reductionTexts)
  const list = useCall('GET /blade-signup/signup/getPostReductionList', { examId }, { quiet: true })
  const open = (list.data?.posts ?? []).filter(
    post => post.decision?.state === 1 && (post.decision.action === 2 || post.decision.action === 3),
  )
  const [chosen, setChosen] = useState('')
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useSaid<string | undefined>(undefined)
  const reductionId = chosen || open[0]?.decision?.id || ''
  const find = async (no: string): Promise<string | undefined> =>
    (await loadSignups({ examId, keyword: no, current: 1, size: 10 }, new AbortController().signal)).records.find(row => row.signNo === no)
      ?.id
  const run = async (): Promise<boolean> => {
    const nos = [...new Set(typed.split(/[\s,，、;；]+/).filter(Boolean))]
    if (nos.length === 0) {
      setWrong(t('names.joinMissing'))
      return false
    }
    const ids = new Map<string, string>()
    for (const no of nos) {
      const id = await find(no)
      if (id === undefined) {
        setWrong(t('names.joinUnknown', { no }))
        return false
      }
      ids.set(id, no)
    }
    try {
      const signupIds = [...ids.keys()]
      const answer = await api.call('POST /blade-signup/signup/joinPostReductionNameList', { reductionId, signupIds })
      onDone()
      if (answer.joined > 0) notify('success', t('names.joinDone', { count: answer.joined }))
      if (answer.ignored.length === 0) return true
      setWrong(answer.ignored.map(one => t('names.joinIgnored', { no: ids.get(one.signupId) ?? '', reason: one.reason })).join('；'))
      return false
    } catch {
      return false // The api client has said why.
    }
  }
  return (
    <ActionDialog
      title={t('names.joinTitle')}
      onClose={onClose}
      hasChanges={() => typed !== ''}
      actions={open.length === 0 ? [] : [{ label: t('names.join'), run }]}
    >
      {open.length === 0 ? (
        <p>{t('names.joinNone')}</p>
      ) : (
        <>
          <LabelledSelect
            label={t('names.joinPost')}
            value={reductionId}
            options={open.map(post => ({ value: post.decision?.id ?? '', label: `${post.code} ${post.codeName}` }))}
            onChange={setChosen}
          />
          <LabelledInput label={t('names.joinNos')} error={wrong} rows={3} value={typed} onChange={setTyped} />
        </>
      )}
    </ActionDialog>
  )
}
