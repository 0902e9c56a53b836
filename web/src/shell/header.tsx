import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect } from 'react'
import { setLang, useLang, useT } from '../kernel/i18n/index.ts'
import { logOut } from '../kernel/leave.ts'
import { useSession } from '../kernel/session.ts'
import { takeHeaderTheme } from '../kernel/theme/choose.ts'
import { confirm } from '../ui/dialog.tsx'
import { Icon, iconPaths } from '../ui/icon.tsx'
import { MenuButton } from '../ui/menu-button.tsx'
import { ColourPicker } from './colour-picker.tsx'
import { anyTabHasChanges } from './go.ts'
import { roleNameOf, roleQuery } from './menu.ts'
import { shellTexts } from './texts.ts'
import { ThemePicker } from './theme-picker.tsx'

const Avatar = ({ src, name }: { readonly src: string; readonly name: string }) =>
  src === '' ? (
    <span className="avatar" aria-hidden="true">
      {Array.from(name).slice(0, 1).join('').toUpperCase()}
    </span>
  ) : (
    <img className="avatar" src={src} alt="" width="28" height="28" />
  )

/** S2.31: role name / nick name. */
const useWho = () => {
  const user = useSession(session => session.user)
  const { data: roles } = useQuery(roleQuery(useLang()))
  const role = user === null ? null : roleNameOf(roles, user.roles)
  return { user, name: user?.nickName ?? '', text: [role, user?.nickName].filter(Boolean).join(' / ') }
}

interface Props {
  readonly folded: boolean
  readonly onFold: () => void
  /** What other parts of the product put left of the language, such as messages. */
  readonly extra?: ReactNode
}

export const Header = ({ folded, onFold, extra }: Props) => {
  const t = useT(shellTexts)
  const lang = useLang()
  const { user, name, text } = useWho()
  useLayoutEffect(takeHeaderTheme, [])
  const askLogOut = async () => {
    const really = await confirm({
      title: t('logout.title'),
      text: anyTabHasChanges() ? `${t('form.unsaved')}\n${t('logout.text')}` : t('logout.text'),
    })
    if (really) await logOut()
  }
  return (
    <header className="header">
      <button
        type="button"
        className="icon-button"
        aria-label={folded ? t('menu.unfold') : t('menu.fold')}
        aria-expanded={!folded}
        onClick={onFold}
      >
        <Icon d={folded ? iconPaths.unfold : iconPaths.fold} size={18} />
      </button>
      <div className="header-space" />
      {extra}
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
      <MenuButton
        className="header-user"
        label={t('user.menu')}
        hasText
        items={[{ key: 'logout', label: t('action.logout'), onChoose: () => void askLogOut() }]}
      >
        <Avatar src={user?.avatar ?? ''} name={name} />
        <span className="header-who">{text}</span>
        <span className="visually-hidden">{t('user.menu')}</span>
        <Icon d={iconPaths.down} size={12} />
      </MenuButton>
    </header>
  )
}
