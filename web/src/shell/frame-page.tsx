import { useLabel, useT } from '../kernel/i18n/index.ts'
import { useSession } from '../kernel/session.ts'
import { leavesOf, useMenu } from './menu.ts'
import { shellTexts } from './texts.ts'

export type FrameTarget =
  /** `own`: of our host, or of one on the list of the installation. */
  | { readonly kind: 'show'; readonly url: URL }
  /** A web page elsewhere: it opens in a window of its own, if the person wants it. */
  | { readonly kind: 'elsewhere'; readonly url: URL }
  | { readonly kind: 'refused' }

type Who = Readonly<Record<'userId' | 'userName' | 'roleName', string>>
/** Blanks, control characters and back-slashes, which browsers read in ways of their own. */
const isOdd = (character: string) => character <= ' ' || character === '\u007f' || character === '\\'

/**
 * Where a menu's address leads, with the person's data put in. The token is never given away (framework-contract 4.5). What is shown
 * inside the console is https on a listed host, or a page of our own; a parser decides, and back-slashes, control characters and
 * user names in the address are refused.
 */
export const frameTarget = (
  address: string,
  of: Who,
  page: { readonly origin: string; readonly hosts: readonly string[] },
): FrameTarget => {
  const filled = address
    .replace(/#/g, '&')
    .replace(/\$\{(userId|userName|roleName)\}/g, (_, name: keyof Who) => encodeURIComponent(of[name]))
  if (filled.includes('${') || Array.from(filled).some(isOdd) || filled.startsWith('//')) return { kind: 'refused' }
  try {
    const url = new URL(filled, page.origin)
    if (url.username !== '' || url.password !== '' || !/^https?:$/.test(url.protocol)) return { kind: 'refused' }
    const isListed = url.protocol === 'https:' && page.hosts.includes(url.host)
    return { kind: url.origin === page.origin || isListed ? 'show' : 'elsewhere', url }
  } catch {
    return { kind: 'refused' }
  }
}

/** The list of the installation (`KAOPU_FRAME_HOSTS`), which the server writes into the page; its content policy says the same. */
const listedHosts = (): readonly string[] =>
  (document.querySelector<HTMLMetaElement>('meta[name="kaopu-frame-hosts"]')?.content ?? '').split(',').filter(host => host !== '')

/** S2.05, S2.18: an external page of the menu inside the console. */
export const FramePage = ({ path }: { readonly path: string }) => {
  const t = useT(shellTexts)
  const label = useLabel()
  const { items } = useMenu()
  const user = useSession(session => session.user)
  const item = leavesOf(items ?? []).find(leaf => leaf.path === path)
  if (item === undefined || item.href === null || user === null) return null
  const who = { userId: user.userId, userName: user.account, roleName: user.roles.join(',') }
  const target = frameTarget(item.href, who, { origin: location.origin, hosts: listedHosts() })
  if (target.kind === 'show')
    return (
      <iframe
        className="frame"
        title={label(item.label)}
        src={target.url.href}
        sandbox="allow-scripts allow-forms allow-popups"
        referrerPolicy="no-referrer"
      />
    )
  return (
    <div className="status-page">
      <h1>{t('frame.refused')}</h1>
      {target.kind === 'elsewhere' ? (
        <>
          <p>{t('frame.elsewhere', { host: target.url.host })}</p>
          <a className="button button-primary" href={target.url.href} target="_blank" rel="noopener noreferrer">
            {t('frame.open')}
          </a>
        </>
      ) : (
        <p>{t('frame.wrong')}</p>
      )}
    </div>
  )
}
