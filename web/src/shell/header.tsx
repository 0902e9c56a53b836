import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { useErrorLog } from '../kernel/errors.ts'
import { setLang, useLang, useT } from '../kernel/i18n/index.ts'
import { lazyPart } from '../kernel/lazy-part.ts'
import { logOut } from '../kernel/leave.ts'
import { useSession } from '../kernel/session.ts'
import * as settings from '../kernel/settings.ts'
import { takeHeaderTheme } from '../kernel/theme/choose.ts'
import { confirm } from '../ui/dialog.tsx'
import { Icon, iconPaths } from '../ui/icon.tsx'
import { MenuButton, PopoverButton } from '../ui/menu-button.tsx'
import { anyTabHasChanges } from '../ui/unsaved.ts'
import { Avatar } from './avatar.tsx'
import { choicesQuery, mayChoose } from './choices.ts'
import { ColourPicker } from './colour-picker.tsx'
import { goTo } from './go.ts'
import { useAvatar } from './me.ts'
import { leavesOf, roleNameOf, roleQuery, useMenu } from './menu.ts'
import { MenuFinder } from './menu-finder.tsx'
import { noticesQuery } from './notices.ts'
import { shellTexts } from './texts.ts'
import { ThemePicker } from './theme-picker.tsx'
import { TopMenu } from './top-menu.tsx'

const dialogs = {
  search: lazyPart(async () => (await import('./menu-search.tsx')).MenuSearch),
  role: lazyPart(async () => (await import('./role-dialog.tsx')).RoleDialog),
  lock: lazyPart(async () => (await import('./lock-dialog.tsx')).LockDialog),
  errors: lazyPart(async () => (await import('./error-log.tsx')).ErrorLogDialog),
  flow: lazyPart(async () => (await import('./flow/dialog.tsx')).FlowDialog),
}
type DialogName = keyof typeof dialogs
const NoticePanel = lazyPart(async () => (await import('./notice-popover.tsx')).NoticePanel)

const signs = {
  lock: 'M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  bug: 'M8 5a3 3 0 0 1 3 3v2.5a3 3 0 0 1-6 0V8a3 3 0 0 1 3-3ZM6 5.3 4.7 3m5.3 2.3L11.3 3M5 8.5H2.5m8.5 0h2.5M5.2 11.5 3 13m7.8-1.5L13 13M8 5v8.5',
  flow: 'M2.5 2.5h4v4h-4zM9.5 9.5h4v4h-4zM6.5 4.5h5v5M4.5 6.5v5h5',
  bell: 'M8 2.2a4 4 0 0 1 4 4c0 3.5 1.5 4.8 1.5 4.8h-11S4 9.7 4 6.2a4 4 0 0 1 4-4ZM6.5 13a1.6 1.6 0 0 0 3 0',
  more: 'M2.6 8h1.6M7.2 8h1.6M11.8 8h1.6',
} as const

/** 0 shows none, 100 and more show `99+` (S9.15). */
const badgeText = (count: number): string | null =>
  count <= 0 ? null : count > settings.maxBadge ? `${settings.maxBadge}+` : String(count)

/** S2.31: role name / nick name. */
const useWho = () => {
  const user = useSession(session => session.user)
  const { data: roles } = useQuery(roleQuery(useLang()))
  const role = user === null ? null : roleNameOf(roles, user.roles)
  return { name: user?.nickName ?? '', role }
}

const UserMenu = ({ onRole }: { readonly onRole: () => void }) => {
  const t = useT(shellTexts)
  const { name, role } = useWho()
  const text = [role, name].filter(Boolean).join(' / ')
  const avatar = useAvatar()
  const { data: choices } = useQuery(choicesQuery(useLang()))
  const askLogOut = async () => {
    const really = await confirm({
      title: t('logout.title'),
      text: anyTabHasChanges() ? `${t('form.unsaved')}\n${t('logout.text')}` : t('logout.text'),
    })
    if (really) await logOut()
  }
  const items = [
    { key: 'info', label: t('user.info'), onChoose: () => goTo('/info/index') },
    ...(mayChoose(choices) ? [{ key: 'role', label: t('role.switch'), onChoose: onRole }] : []),
    { key: 'problem', label: t('user.problem'), onChoose: () => void window.open('/problem/problem', '_blank', 'noreferrer') },
    { key: 'logout', label: t('action.logout'), onChoose: () => void askLogOut() },
  ]
  return (
    <MenuButton className="header-user" label={t('user.menu')} hasText items={items}>
      <Avatar src={avatar} name={name} />
      <span className="header-who" title={text}>
        {role === null || name === '' ? (
          text
        ) : (
          <>
            <span className="header-role">{role}</span>
            <span className="header-nick"> / {name}</span>
          </>
        )}
      </span>
      <span className="visually-hidden">{t('user.menu')}</span>
      <Icon d={iconPaths.down} size={12} />
    </MenuButton>
  )
}

/** Drawn by the style sheet: the button's name says the number already. */
const Badge = ({ text }: { readonly text: string | null }) => (text === null ? null : <span className="badge" data-text={text} />)

interface ToolProps {
  readonly label: string
  readonly sign: string
  readonly onClick: () => void
  readonly badge?: string | null
  readonly className?: string
}

const Tool = ({ label, sign, onClick, badge = null, className = '' }: ToolProps) => (
  <button
    type="button"
    className={`icon-button ${className}`}
    aria-label={badge === null ? label : `${label} (${badge})`}
    title={label}
    onClick={onClick}
  >
    <Icon d={sign} size={18} />
    <Badge text={badge} />
  </button>
)

/** S2.42. The number counts what is unread, not the samples. */
const Notices = () => {
  const t = useT(shellTexts)
  const { data } = useQuery(noticesQuery(useLang()))
  const badge = badgeText(data?.unreadCount ?? 0)
  return (
    <PopoverButton
      className="icon-button"
      label={badge === null ? t('notice.title') : `${t('notice.title')} (${badge})`}
      panelClass="notice"
      content={close => (
        <Suspense>
          <NoticePanel close={close} />
        </Suspense>
      )}
    >
      <Icon d={signs.bell} size={18} />
      <Badge text={badge} />
    </PopoverButton>
  )
}

interface Props {
  readonly folded: boolean
  readonly onFold: () => void
}

/** S2.27–S2.42. Below 768 px the less used tools fold into a second row. */
export const Header = ({ folded, onFold }: Props) => {
  const t = useT(shellTexts)
  const lang = useLang()
  useLayoutEffect(takeHeaderTheme, [])
  const errors = useErrorLog(state => state.entries.length)
  const { items } = useMenu()
  // The tools of whoever looks after the program, beside their own menus; what went wrong here concerns everybody.
  const uses = (under: string) => leavesOf(items ?? []).some(item => item.path?.startsWith(under))
  const [dialog, setDialog] = useState<DialogName | null>(null)
  const [more, setMore] = useState(false)
  useEffect(() => {
    const find = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      setDialog('search')
    }
    addEventListener('keydown', find)
    return () => removeEventListener('keydown', find)
  }, [])
  const tools: ReactNode = (
    <>
      <Tool label={t('lock.set')} sign={signs.lock} onClick={() => setDialog('lock')} />
      {errors > 0 || uses('/monitor/log/') ? (
        <Tool label={t('errors.title')} sign={signs.bug} badge={badgeText(errors)} onClick={() => setDialog('errors')} />
      ) : null}
      {uses('/flow/') ? <Tool label={t('flow.title')} sign={signs.flow} onClick={() => setDialog('flow')} /> : null}
      <ThemePicker />
      <ColourPicker />
      <button
        type="button"
        className="icon-button header-lang"
        lang={lang === 'zh' ? 'en' : 'zh-CN'}
        onClick={() => setLang(lang === 'zh' ? 'en' : 'zh')}
      >
        {lang === 'zh' ? 'EN' : '中文'}
      </button>
    </>
  )
  const Shown = dialog === null ? null : dialogs[dialog]
  return (
    <>
      <header className="header" data-more={more}>
        <button
          type="button"
          className="icon-button"
          aria-label={folded ? t('menu.unfold') : t('menu.fold')}
          aria-expanded={!folded}
          onClick={onFold}
        >
          <Icon d={folded ? iconPaths.unfold : iconPaths.fold} size={18} />
        </button>
        <TopMenu />
        <div className="header-space" />
        <div className="header-finder">
          <MenuFinder />
        </div>
        <Tool className="header-search" label={t('search.open')} sign={iconPaths.search} onClick={() => setDialog('search')} />
        <Notices />
        <div id="header-tools" className="header-tools">
          {tools}
        </div>
        <button
          type="button"
          className="icon-button header-more"
          aria-label={t('header.more')}
          title={t('header.more')}
          aria-expanded={more}
          aria-controls="header-tools"
          onClick={() => setMore(!more)}
        >
          <Icon d={signs.more} size={18} />
        </button>
        <UserMenu onRole={() => setDialog('role')} />
      </header>
      {Shown === null ? null : (
        <Suspense>
          <Shown onClose={() => setDialog(null)} />
        </Suspense>
      )}
    </>
  )
}
