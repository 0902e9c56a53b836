import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { selectionTexts } from '../texts.ts'

const minute = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/

/** Who will be called, until when they have to answer, and the call itself. */
export const StartDialog = ({
  examId,
  onDone,
  onClose,
}: {
  readonly examId: string
  readonly onDone: () => void
  readonly onClose: () => void
}) => {
  const t = useT(selectionTexts)
  const [typed, setTyped] = useState<string | null>(null)
  const [wrong, setWrong] = useSaid<string | undefined>(undefined)
  const plan = useQuery({
    queryKey: ['recheck-plan', examId],
    queryFn: () => api.call('POST /blade-signup/selection/startRecheck', { examId, dryRun: 1 }),
    gcTime: 0,
  })
  const deadline = typed ?? plan.data?.deadline.slice(0, 16) ?? ''
  const people = plan.data?.people ?? 0
  const run = async (): Promise<boolean> => {
    const isGood = minute.test(deadline.trim())
    setWrong(isGood ? undefined : t('recheck.start.deadline.bad'))
    if (!isGood) return false
    try {
      const done = await api.call('POST /blade-signup/selection/startRecheck', { examId, deadline: `${deadline.trim()}:00` })
      notify('success', t('recheck.started', { count: done.people }))
    } catch {
      return false // Said already.
    }
    onDone()
    return true
  }
  return (
    <ActionDialog
      title={t('recheck.start')}
      actions={people === 0 ? [] : [{ label: t('recheck.start.ok', { count: people }), run }]}
      onClose={onClose}
    >
      <Loaded query={plan} skeletonRows={3}>
        {of => (
          <>
            {of.off === 0 ? null : <p role="note">{t('recheck.start.off', { count: of.off })}</p>}
            {of.people === 0 ? (
              <p>{t('recheck.start.none')}</p>
            ) : (
              <>
                <p>{t('recheck.start.lead')}</p>
                <ul>
                  {of.posts
                    .filter(post => post.now > 0)
                    .map(post => (
                      <li key={post.code}>
                        {t('recheck.start.post', {
                          code: post.code,
                          name: post.codeName,
                          places: post.places,
                          called: post.called,
                          now: post.now,
                        })}
                      </li>
                    ))}
                </ul>
                <LabelledInput label={t('recheck.start.deadline')} error={wrong} value={deadline} onChange={setTyped} maxLength={16} />
              </>
            )}
          </>
        )}
      </Loaded>
    </ActionDialog>
  )
}
