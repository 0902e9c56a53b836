import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { loginResult, loginTone } from '#contract/auth/login-result.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { listOf } from '#web/kernel/i18n/list.ts'
import { useFieldLevels } from '#web/kernel/permission.ts'
import { callKey, useCall } from '#web/kernel/query.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { useDict } from '#web/resource/use-dict.ts'
import { goTo } from '#web/shell/go.ts'
import { usePage, useTabTitle } from '#web/shell/page-context.tsx'
import { closeTab } from '#web/shell/tabs.ts'
import { ActionButtons } from '#web/ui/action-buttons.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { ObjectPage } from '#web/ui/object-page.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { Timeline, type TimelineEntry } from '#web/ui/timeline.tsx'
import { type ProposedChange, ProposedFacts } from './change-dialog.tsx'
import { changeTexts } from './change-texts.ts'
import { UserStatus } from './columns.tsx'
import type { OneTime } from './one-time-dialog.tsx'
import { userTexts } from './texts.ts'
import { useUserRights } from './use-rights.ts'
import { useRowActions } from './use-row-actions.ts'
import { type UserLine, useUserActs } from './use-user-acts.ts'
import { type OpenedWindow, UserWindow } from './windows.tsx'
import './user.css'

const logins = 20
const tones = { done: 'passed', halfway: 'waiting', failed: 'refused' } as const

/** When the account was made and how it was logged in to of late, the newest first. */
const useCourse = (user: UserLine, mayLogins: boolean): readonly TimelineEntry[] => {
  const t = useT(userTexts)
  const label = useLabel()
  const log = useCall('GET /blade-system/auth-log/page', { userId: user.id, current: 1, size: logins }, { quiet: true, enabled: mayLogins })
  return [
    ...(log.data?.records ?? []).map(({ id, loginTime, result, remoteIp }) => ({
      key: id,
      time: loginTime,
      tone: tones[loginTone(result)],
      title: t('user.login', { result: label(loginResult(result)) }),
      detail: remoteIp,
    })),
    { key: 'made', time: user.createTime, tone: 'draft', title: t('user.made') },
  ]
}

const Data = ({ user }: { readonly user: UserLine }) => {
  const t = useT(userTexts)
  const levelOf = useFieldLevels('user')
  const sexes = useDict('sex')
  const shown = [
    { key: 'account', label: t('user.account'), value: user.account },
    { key: 'realName', label: t('user.realName'), value: user.realName },
    { key: 'roleName', label: t('user.roles'), value: listOf(user.roleName.split(',')) },
    { key: 'deptName', label: t('user.dept'), value: listOf(user.deptName.split(',')) },
    { key: 'userType', label: t('user.kind'), value: t(`user.kind.${user.userType as 1 | 2 | 3}`) },
    { key: 'userCode', label: t('user.userCode'), value: user.userCode },
    { key: 'phone', label: t('user.phone'), value: user.phone },
    { key: 'email', label: t('user.email'), value: user.email },
    { key: 'name', label: t('user.name'), value: user.name },
    { key: 'sex', label: t('user.sex'), value: sexes.find(option => option.value === String(user.sex))?.label ?? '' },
    { key: 'birthday', label: t('user.birthday'), value: user.birthday },
    { key: 'code', label: t('user.code'), value: user.code },
    { key: 'postName', label: t('user.post'), value: listOf(user.postName.split(',')) },
    { key: 'leaderName', label: t('user.reportsTo'), value: listOf(user.leaderName.split(',')) },
    { key: 'lockReason', label: t('user.lockReason'), value: user.lockReason },
  ]
  return (
    <section className="card">
      <Facts items={shown.filter(({ key, value }) => value && levelOf(key) !== 'hidden')} />
    </section>
  )
}

const Whole = ({ user }: { readonly user: UserLine & { readonly change?: ProposedChange } }) => {
  const t = useT(userTexts)
  const c = useT(changeTexts)
  const { change } = user
  const client = useQueryClient()
  const { path } = usePage()
  const [opened, open] = useState<OpenedWindow | null>(null)
  const may = useUserRights()
  const onDone = useCallback(() => {
    for (const queryKey of [listKey('user'), callKey('GET /blade-system/user/detail')]) void client.invalidateQueries({ queryKey })
  }, [client])
  const onGone = useCallback(() => {
    closeTab(path)
    goTo('/system/user')
  }, [path])
  const onMade = useCallback((list: readonly OneTime[]) => open({ kind: 'oneTime', list }), [])
  const acts = useUserActs(onDone, onMade, onGone)
  const actions = useRowActions(may, acts, open)
  const name = user.realName || user.account
  useTabTitle({ zh: name, en: name })
  return (
    <ObjectPage
      title={[user.realName, user.account].filter(Boolean).join(' · ')}
      state={<UserStatus user={user} />}
      actions={<ActionButtons actions={actions(user).filter(({ key }) => key !== 'view')} />}
      courseTitle={t('user.course')}
      course={<Timeline entries={useCourse(user, may.logins)} />}
    >
      {change === undefined ? null : (
        <section className="card" aria-label={c('change.title')}>
          <h2>{c('change.title')}</h2>
          <ProposedFacts change={change} />
          <button type="button" className="button button-primary" onClick={() => open({ kind: 'change', id: user.id, change })}>
            {c('change.decide')}
          </button>
        </section>
      )}
      <Data user={user} />
      {opened === null ? null : (
        <UserWindow opened={opened} mayEdit={may.edit} mayReset={may.reset} acts={acts} open={open} onDone={onDone} />
      )}
    </ObjectPage>
  )
}

/** One user: who, in which state, roles and department, logins of late, and what may be done. */
export const Page = () => {
  const { params } = usePage()
  const user = useCall('GET /blade-system/user/detail', { id: params.id ?? '0' }, { quiet: true })
  return <Loaded query={user}>{of => <Whole user={of} />}</Loaded>
}
