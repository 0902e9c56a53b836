import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Labelled, LabelledInput } from '#web/ui/labelled.tsx'
import { WorkPeople } from './people.tsx'
import { refreshWork } from './refresh.ts'
import { workTexts } from './texts.ts'

export type PeopleWay = 'transfer' | 'delegate' | 'addSign' | 'copy' | 'assign'

interface Props {
  readonly way: PeopleWay
  readonly taskId: string
  readonly processInstanceId: string
  readonly onClose: () => void
  /** The task may be somebody else's now. */
  readonly onDone: () => void
}

/** Gives a task, or a look at its process, to other people. */
export const PeopleDialog = ({ way, taskId, processInstanceId, onClose, onDone }: Props) => {
  const t = useT(workTexts)
  const client = useQueryClient()
  const [people, setPeople] = useState('')
  const [comment, setComment] = useState('')
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
  const single = way === 'transfer' || way === 'delegate' || way === 'assign'
  const nameOf = async (): Promise<string> => {
    const [person] = await api.call('GET /blade-flow/work/people', { userIds: people }, { quiet: true }).catch(() => [])
    return person?.realName ?? ''
  }
  const send = async (): Promise<string> => {
    const said = comment.trim() === '' ? {} : { comment: comment.trim() }
    const quiet = { quiet: 'fields' } as const
    switch (way) {
      case 'transfer':
        await api.call('POST /blade-flow/work/transfer-task', { taskId, userId: people, ...said }, quiet)
        return t('act.transfer.done', { name: await nameOf() })
      case 'delegate':
        await api.call('POST /blade-flow/work/delegate-task', { taskId, userId: people, ...said }, quiet)
        return t('act.delegate.done', { name: await nameOf() })
      case 'assign':
        await api.call('POST /blade-flow/follow/assign-task', { taskId, userId: people, ...said }, quiet)
        return t('act.assign.done', { name: await nameOf() })
      case 'addSign':
        await api.call('POST /blade-flow/work/add-sign', { taskId, userIds: people, ...said }, quiet)
        return t('act.addSign.done')
      case 'copy': {
        const { copied } = await api.call('POST /blade-flow/work/copy-to', { processInstanceId, userIds: people, ...said }, quiet)
        return t('act.copy.done', { count: copied })
      }
    }
  }
  const run = async (): Promise<boolean> => {
    setWrong(people === '' ? { people: t('act.person.need') } : {})
    if (people === '') return false
    try {
      notify('success', await send())
    } catch (error) {
      const { userId, userIds, comment: said } = fieldTexts(error) // Without fields the api client has said why.
      const who = userId ?? userIds
      setWrong({ ...(who === undefined ? {} : { people: who }), ...(said === undefined ? {} : { comment: said }) })
      return false
    }
    await refreshWork(client)
    onDone()
    return true
  }
  return (
    <ActionDialog
      title={t(`act.${way}`)}
      actions={[{ label: t(`act.${way}`), run }]}
      hasChanges={() => people !== '' || comment !== ''}
      onClose={onClose}
    >
      <p>{t(`act.${way}.lead`)}</p>
      <Labelled label={t(single ? 'act.person' : 'act.people')} error={wrong['people']}>
        {(id, described) => (
          <WorkPeople id={id} {...described} value={people} onChange={value => setPeople(String(value ?? ''))} single={single} />
        )}
      </Labelled>
      <LabelledInput label={t('act.comment')} error={wrong['comment']} maxLength={500} rows={2} value={comment} onChange={setComment} />
    </ActionDialog>
  )
}
