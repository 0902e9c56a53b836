import { useCallback, useMemo } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { confirm, namesAndCount } from '#web/ui/dialog.tsx'
import { inPortions } from './in-portions.ts'
import type { OneTime } from './one-time-dialog.tsx'
import { userTexts } from './texts.ts'

export type UserLine = ApiOutput<'GET /blade-system/user/page'>['records'][number]

export const namesOf = (users: readonly UserLine[]): string => namesAndCount(users.map(user => user.realName))
export const idsOf = (users: readonly UserLine[]): string => users.map(user => user.id).join(',')

/** How many passwords one call makes. */
const mostAtOnce = 50

/**
 * What can be done to users after one question. Each says by itself how it went.
 * @param onGone - after a removal
 */
export const useUserActs = (onDone: () => void, onMade: (made: readonly OneTime[]) => void, onGone = onDone) => {
  const t = useT(userTexts)
  const done = useCallback(
    async (send: () => Promise<unknown>, after = onDone): Promise<boolean> => {
      try {
        await send()
      } catch {
        return false // The api client has said why.
      }
      notify('success', t('done.ok'))
      after()
      return true
    },
    [onDone, t],
  )
  const act = useCallback(
    async (title: string, text: string, danger: boolean, send: () => Promise<unknown>) => {
      if (await confirm({ title, text, ok: title, danger })) await done(send)
    },
    [done],
  )
  return useMemo(
    () => ({
      reset: async (users: readonly UserLine[], document: string) => {
        const sent = { userIds: idsOf(users), ...(document === '' ? {} : { document }) }
        onMade(await api.call('POST /blade-system/user/reset-password', sent, { quiet: 'fields' }))
        onDone()
      },
      /** Passwords for everybody who came by an import and has none, in the portions that one call makes. */
      firstPasswords: async () => {
        const ask = { withoutPassword: 1, current: 1, size: mostAtOnce } as const
        const { total } = await api.call('GET /blade-system/user/page', ask)
        if (total === 0 || !(await confirm({ title: t('user.first'), text: t('user.first.ask', { count: total }), ok: t('user.first') })))
          return
        const made: readonly OneTime[] = await inPortions(
          async () => (await api.call('GET /blade-system/user/page', ask)).records,
          records => api.call('POST /blade-system/user/reset-password', { userIds: idsOf(records) }),
        )
        onDone()
        if (made.length > 0) onMade(made)
      },
      /** After the window about what they hold. */
      disable: (user: UserLine, handTo: string) =>
        done(() => api.call('POST /blade-system/user/changeStatus', { id: user.id, status: 2, ...(handTo === '' ? {} : { handTo }) })),
      enable: (user: UserLine) =>
        act(t('user.enable'), `${t('user.enable')} ${user.realName}`, false, () =>
          api.call('POST /blade-system/user/changeStatus', { id: user.id, status: 1 }),
        ),
      lead: (user: UserLine) => {
        const title = t(user.isLeader === 1 ? 'user.leader.off' : 'user.leader.on')
        return act(title, `${title} ${user.realName}`, false, () => api.call('POST /blade-system/user/set-leader', { userId: user.id }))
      },
      remove: (users: readonly UserLine[], handTo: string) =>
        done(() => api.call('POST /blade-system/user/remove', { ids: idsOf(users), ...(handTo === '' ? {} : { handTo }) }), onGone),
      pass: (users: readonly UserLine[]) =>
        act(t('user.audit.pass'), t('user.audit.pass.ask', { what: namesOf(users) }), false, () =>
          api.call('POST /blade-system/user/audit-pass', { userIds: idsOf(users) }),
        ),
      totp: async (users: readonly UserLine[], reason: string, document: string) => {
        const sent = { userIds: idsOf(users), reason, ...(document === '' ? {} : { document }) }
        const { waiting } = await api.call('POST /blade-system/user/reset-second-factor', sent, { quiet: 'fields' })
        for (const one of waiting) notify('warning', `${one.account}: ${one.waiting}`)
        if (waiting.length < users.length) notify('success', t('done.ok'))
        onDone()
      },
      lock: (users: readonly UserLine[], reason: string) =>
        api.call('POST /blade-system/user/lock', { userIds: idsOf(users), reason }, { quiet: 'fields' }),
      unlock: (users: readonly UserLine[], reason: string) =>
        api.call('POST /blade-system/user/unlock', { userIds: idsOf(users), reason }, { quiet: 'fields' }),
      refuse: (users: readonly UserLine[], reason: string) =>
        api.call('POST /blade-system/user/audit-refuse', { userIds: idsOf(users), reason }, { quiet: 'fields' }),
    }),
    [act, done, onMade, onGone, t, onDone],
  )
}

export type UserActs = ReturnType<typeof useUserActs>
