import { useLabel, useT } from '../kernel/i18n/index.ts'
import { useSession } from '../kernel/session.ts'
import { leavesOf, useMenu } from './menu.ts'
import { shellTexts } from './texts.ts'

/** The address with the person's data put in. The token is never given away (framework-contract 4.5). */
export const frameAddress = (address: string, of: { userId: string; userName: string; roleName: string }, origin: string): URL | null => {
  const filled = address
    .replace(/#/g, '&')
    .replace(/\$\{(userId|userName|roleName)\}/g, (_, name: 'userId' | 'userName' | 'roleName') => encodeURIComponent(of[name]))
  if (filled.includes('${')) return null
  try {
    const url = new URL(filled, origin)
    const isOwn = url.origin === origin
    if (url.username !== '' || url.password !== '') return null
    return isOwn || url.protocol === 'https:' ? url : null
  } catch {
    return null
  }
}

/** S2.05, S2.18: an external page of the menu inside the console. */
export const FramePage = ({ path }: { readonly path: string }) => {
  const t = useT(shellTexts)
  const label = useLabel()
  const { items } = useMenu()
  const user = useSession(session => session.user)
  const item = leavesOf(items ?? []).find(leaf => leaf.path === path)
  if (item === undefined || item.href === null || user === null) return null
  const url = frameAddress(item.href, { userId: user.userId, userName: user.account, roleName: user.roles.join(',') }, location.origin)
  if (url === null)
    return (
      <div className="status-page">
        <h1>{t('frame.refused')}</h1>
        <p>{item.href}</p>
      </div>
    )
  return (
    <iframe
      className="frame"
      title={label(item.label)}
      src={url.href}
      sandbox="allow-scripts allow-forms allow-popups"
      referrerPolicy="no-referrer"
    />
  )
}
