import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Check } from '#web/ui/labelled.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { stageTexts } from './texts.ts'

/** Who enters the medical check; among people of one rank the office chooses. */
export const OpenDialog = ({
  examId,
  onDone,
  onClose,
}: {
  readonly examId: string
  readonly onDone: () => void
  readonly onClose: () => void
}) => {
  const t = useT(stageTexts)
  const [picks, setPicks] = useState<readonly string[]>([])
  const plan = useQuery({
    queryKey: ['stages-plan', examId],
    queryFn: () => api.call('POST /blade-signup/selection/openStages', { examId, dryRun: 1 }),
    gcTime: 0,
  })
  const people = (plan.data?.people ?? 0) + picks.length
  const run = async (): Promise<boolean> => {
    try {
      const done = await api.call('POST /blade-signup/selection/openStages', {
        examId,
        ...(picks.length === 0 ? {} : { picks: picks.join(',') }),
      })
      notify('success', t('open.done', { count: done.people }))
    } catch {
      return false // Said already.
    }
    onDone()
    return true
  }
  const pick = (id: string) => (on: boolean) => setPicks(on ? [...picks, id] : picks.filter(one => one !== id))
  return (
    <ActionDialog
      title={t('stages.open')}
      size="two"
      actions={people === 0 ? [] : [{ label: t('open.ok', { count: people }), run }]}
      hasChanges={() => picks.length > 0}
      onClose={onClose}
    >
      <p>{t('open.lead')}</p>
      <Loaded query={plan} skeletonRows={3}>
        {of => (
          <>
            {of.posts.some(post => post.now > 0 || post.tied.length > 0) ? null : <p>{t('open.none')}</p>}
            <ul>
              {of.posts.map(post => (
                <li key={post.code}>
                  {t('open.post', { code: post.code, name: post.codeName, places: post.places, held: post.held, now: post.now })}
                </li>
              ))}
            </ul>
            {of.posts
              .filter(post => post.tied.length > 0)
              .map(post => (
                <fieldset key={post.code}>
                  <legend>{t('open.tied', { code: post.code, places: post.places - post.held - post.now })}</legend>
                  {post.tied.map(one => (
                    <Check
                      key={one.signupId}
                      label={t('open.person', { name: one.name, rank: one.rank ?? '', total: one.total ?? '' })}
                      on={picks.includes(one.signupId)}
                      onChange={pick(one.signupId)}
                    />
                  ))}
                </fieldset>
              ))}
          </>
        )}
      </Loaded>
    </ActionDialog>
  )
}
