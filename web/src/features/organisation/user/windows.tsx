import { lazy, Suspense } from 'react'
import { organisationImports } from '#contract/organisation/import-kinds.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { ImportRun } from '#web/resource/import-run.tsx'
import { ReasonDialog } from '#web/ui/reason-dialog.tsx'
import type { ProposedChange } from './change-dialog.tsx'
import type { OneTime } from './one-time-dialog.tsx'
import { userTexts } from './texts.ts'
import { idsOf, namesOf, type UserActs, type UserLine } from './use-user-acts.ts'
import type { OpenedUser } from './user-dialog.tsx'

const UserDialog = lazy(async () => ({ default: (await import('./user-dialog.tsx')).UserDialog }))
const RoleDialog = lazy(async () => ({ default: (await import('./role-dialog.tsx')).RoleDialog }))
const PlatformDialog = lazy(async () => ({ default: (await import('./platform-dialog.tsx')).PlatformDialog }))
const LeaveDialog = lazy(async () => ({ default: (await import('./held-work.tsx')).LeaveDialog }))
const ResetDialog = lazy(async () => ({ default: (await import('./reset-dialog.tsx')).ResetDialog }))
const ChangeDialog = lazy(async () => ({ default: (await import('./change-dialog.tsx')).ChangeDialog }))
const OneTimeDialog = lazy(async () => ({ default: (await import('./one-time-dialog.tsx')).OneTimeDialog }))

/** What is done with a reason that is kept. */
type Reasoned = 'lock' | 'unlock' | 'refuse'

export type OpenedWindow =
  | OpenedUser
  | { readonly kind: 'role' | 'disable' | 'remove' | 'reset' | 'totp' | Reasoned; readonly users: readonly UserLine[] }
  | { readonly kind: 'platform'; readonly id: string }
  | { readonly kind: 'change'; readonly id: string; readonly change: ProposedChange }
  | { readonly kind: 'import' }
  | { readonly kind: 'oneTime'; readonly list: readonly OneTime[] }

interface Props {
  readonly opened: OpenedWindow
  readonly mayEdit: boolean
  /** May make one-time passwords. */
  readonly mayReset: boolean
  readonly acts: UserActs
  /** Null shuts the one that is open. */
  readonly open: (change: (now: OpenedWindow | null) => OpenedWindow | null) => void
  /** Users have changed. */
  readonly onDone: () => void
}

const ReasonWindow = ({
  kind,
  users,
  acts,
  onDone,
  onClose,
}: Pick<Props, 'acts' | 'onDone'> & { readonly kind: Reasoned; readonly users: readonly UserLine[]; readonly onClose: () => void }) => {
  const t = useT(userTexts)
  const texts = {
    lock: { title: t('user.lock'), lead: 'user.lock.ask', label: t('user.lock.reason'), missing: t('user.lock.missing') },
    unlock: { title: t('user.unlock'), lead: 'user.unlock.ask', label: t('user.unlock.reason'), missing: t('user.unlock.missing') },
    refuse: {
      title: t('user.audit.refuse'),
      lead: 'user.audit.refuse.ask',
      label: t('user.audit.reason'),
      missing: t('user.audit.missing'),
    },
  } as const
  const { title, lead, label, missing } = texts[kind]
  return (
    <ReasonDialog
      title={title}
      lead={t(lead, { what: namesOf(users) })}
      label={label}
      missing={missing}
      ok={title}
      send={async reason => {
        await acts[kind](users, reason)
        notify('success', t('done.ok'))
        onDone()
      }}
      onClose={onClose}
    />
  )
}

const WindowOf = ({ opened, mayEdit, mayReset, acts, open, onDone }: Props) => {
  const t = useT(userTexts)
  const close = () => open(() => null)
  switch (opened.kind) {
    case 'oneTime':
      return <OneTimeDialog list={opened.list} onClose={close} />
    case 'role':
      return <RoleDialog people={opened.users} onClose={close} onDone={onDone} />
    case 'disable':
    case 'remove':
      return (
        <LeaveDialog
          title={t(opened.kind === 'remove' ? 'action.delete' : 'user.disable')}
          lead={t(opened.kind === 'remove' ? 'user.delete.ask' : 'user.disable.ask', { what: namesOf(opened.users) })}
          of={{ userIds: idsOf(opened.users), act: opened.kind }}
          send={async handTo => {
            const [first] = opened.users
            return opened.kind === 'remove' ? acts.remove(opened.users, handTo) : first !== undefined && acts.disable(first, handTo)
          }}
          onClose={close}
        />
      )
    case 'platform':
      return <PlatformDialog id={opened.id} mayEdit={mayEdit} onClose={close} />
    case 'import':
      return (
        <ImportRun
          title={t('user.import')}
          of={organisationImports.users}
          fields={{}}
          onClose={close}
          onDone={() => {
            onDone()
            if (mayReset) void acts.firstPasswords()
            else notify('success', t('user.import.done'))
          }}
        />
      )
    case 'reset':
      return (
        <ResetDialog
          title={t('user.reset')}
          lead={t('user.reset.ask', { what: namesOf(opened.users) })}
          send={({ document }) => acts.reset(opened.users, document)}
          onClose={() => open(now => (now?.kind === 'oneTime' ? now : null))}
        />
      )
    case 'totp':
      return (
        <ResetDialog
          title={t('user.totp')}
          lead={t('user.totp.ask', { what: namesOf(opened.users) })}
          reason={{ label: t('user.totp.reason'), missing: t('user.totp.missing') }}
          send={({ reason, document }) => acts.totp(opened.users, reason, document)}
          onClose={close}
        />
      )
    case 'change':
      return <ChangeDialog id={opened.id} change={opened.change} onDone={onDone} onClose={close} />
    case 'lock':
    case 'unlock':
    case 'refuse':
      return <ReasonWindow kind={opened.kind} users={opened.users} acts={acts} onDone={onDone} onClose={close} />
    default:
      return (
        <UserDialog
          opened={opened}
          // One-time passwords that took its place stay.
          onClose={() => open(now => (now?.kind === 'oneTime' ? now : null))}
          onDone={onDone}
          onMade={made => open(() => ({ kind: 'oneTime', list: [made] }))}
        />
      )
  }
}

/** The window over the list of users. */
export const UserWindow = (props: Props) => (
  <Suspense>
    <WindowOf {...props} />
  </Suspense>
)
