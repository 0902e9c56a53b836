import { useLang, useT } from '../kernel/i18n/index.ts'
import { Icon, iconPaths } from '../ui/icon.tsx'
import { MenuButton } from '../ui/menu-button.tsx'
import { goTo } from './go.ts'
import { homePath, useTopMenu, useTopMenus } from './menu.ts'
import { shellTexts } from './texts.ts'

/** S2.39: home and the server's items; each switches the side menu to its part. Where there is no room they fold into one button. */
export const TopMenu = () => {
  const t = useT(shellTexts)
  const lang = useLang()
  const chosen = useTopMenu(state => state.chosen)
  const { data = [] } = useTopMenus()
  const entries = [
    { key: null, name: t('nav.home') },
    // The main one is what home shows.
    ...data.filter(item => item.isMain === 0).map(item => ({ key: item.id, name: lang === 'en' && item.nameEn ? item.nameEn : item.name })),
  ]
  const choose = (key: string | null) => {
    useTopMenu.setState({ chosen: key })
    if (key === null) goTo(homePath)
  }
  const now = entries.find(entry => entry.key === chosen) ?? entries[0]
  return (
    <nav className="top-menu" aria-label={t('top.label')}>
      <ul>
        {entries.map(entry => (
          <li key={entry.key}>
            <button type="button" aria-current={entry.key === chosen ? 'true' : undefined} onClick={() => choose(entry.key)}>
              {entry.name}
            </button>
          </li>
        ))}
      </ul>
      <MenuButton
        className="top-menu-folded"
        label={t('top.label')}
        hasText
        items={entries.map(entry => ({ key: entry.key ?? 'home', label: entry.name, onChoose: () => choose(entry.key) }))}
      >
        <span className="visually-hidden">{t('top.label')}</span>
        {now?.name}
        <Icon d={iconPaths.down} size={12} />
      </MenuButton>
    </nav>
  )
}
