import { useEffect, useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { dayOf } from '#web/kernel/format.ts'
import { defineTexts, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { useSession } from '#web/kernel/session.ts'
import { refresh } from '../data/answers.ts'
import { Callout, PageTitle } from '../kit/page-ui.tsx'
import { Button, Skeleton } from '../kit/ui.tsx'
import { dropLocal } from './local-copy.ts'

const texts = defineTexts(
  {
    title: '院校为您填写的报名',
    lead: '接收后，已填的内容、材料和照片归您本人，作为草稿保存；核对后由您本人提交才算报名。姓名和手机号以您的账号为准。不接收的，无需处理。',
    office: '主管单位',
    by: '{name}，{day} 填写',
    take: '接收',
    replace: '替换我的草稿并接收',
    draft: '您已在填写本次报名：接收会替换您现有的草稿，替换后不能恢复。',
    own: '不接收，我自己填写',
    none: '没有等待接收的内容：可能已经接收，或报名已结束。',
    taken: '已接收，请核对后提交',
  },
  {
    title: 'A sign-up that a school filled in for you',
    lead: 'When you take it over, its answers, files and photo are yours, kept as a draft: you have signed up when you have checked and submitted it. Name and phone are those of your account. If you do not want it, there is nothing to do.',
    office: 'The office',
    by: '{name}, filled in on {day}',
    take: 'Take it over',
    replace: 'Replace my draft and take it over',
    draft: 'You have begun this sign-up yourself: taking over replaces your draft, which cannot be brought back.',
    own: 'No, I fill in the form myself',
    none: 'Nothing waits for you here: it was taken over already, or the sign-up is over.',
    taken: 'Taken over: check it and submit',
  },
)

type Invitation = ApiOutput<'GET /blade-signup/signup/getInvitations'>[number]

/** What schools have filled in for the reader for an examination: it is taken over, or left alone, before the form opens. */
export const Invitations = ({ examId, onDone }: { readonly examId: string; readonly onDone: () => void }) => {
  const t = useT(texts)
  const userId = useSession(session => session.user?.userId ?? '')
  const [waiting, setWaiting] = useState<readonly Invitation[] | null>(null)
  const [asked, setAsked] = useState<string | null>(null)
  const [refusal, setRefusal] = useSaid<string | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    let isLeft = false
    api.call('GET /blade-signup/signup/getInvitations', { examId }).then(
      found => isLeft || setWaiting(found),
      // Said by the api client; the form is open to everybody.
      () => isLeft || onDone(),
    )
    return () => {
      isLeft = true
    }
  }, [examId, onDone])
  const take = async (signupId: string) => {
    setBusy(true)
    setRefusal(null)
    try {
      await api.call(
        'POST /blade-signup/signup/takeInvitation',
        { signupId, ...(asked === signupId ? { replace: 1 as const } : {}) },
        { quiet: true },
      )
      // What was typed here before belongs to the draft that was replaced.
      dropLocal(examId, userId)
      await refresh('form')
      notify('success', t('taken'))
      onDone()
    } catch (error) {
      if (!isApiError(error)) throw error
      if (error.reason === 'signup/invitation-draft') setAsked(signupId)
      else setRefusal(error.message)
    } finally {
      setBusy(false)
    }
  }
  if (waiting === null) return <Skeleton rows={[28, 120]} />
  return (
    <div className="p-stack p-gap-l">
      <PageTitle title={t('title')} />
      <p className="p-soft">{waiting.length === 0 ? t('none') : t('lead')}</p>
      {waiting.map(({ signupId, groupName, importTime }) => (
        <section key={signupId} className="p-card p-stack">
          <p>{t('by', { name: groupName || t('office'), day: dayOf(importTime) })}</p>
          {asked === signupId && (
            <Callout tone="warning" live>
              {t('draft')}
            </Callout>
          )}
          <Button look="primary" block busy={busy} onClick={() => void take(signupId)}>
            {t(asked === signupId ? 'replace' : 'take')}
          </Button>
        </section>
      ))}
      {refusal !== null && (
        <Callout tone="danger" live>
          {refusal}
        </Callout>
      )}
      <Button block onClick={onDone}>
        {t('own')}
      </Button>
    </div>
  )
}
