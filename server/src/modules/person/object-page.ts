import { objectPath } from '#contract/message/scenes.ts'
import type { PublicPage } from '#kernel/http/public-page.ts'
import { readCode } from '#modules/organisation/index.ts'

/**
 * The address in text messages by which the owner of an account objects. It leads on to the portal with the code behind the hash, where no server, proxy or other page
 * sees it.
 */
export const objectPage: PublicPage = {
  path: `${objectPath}:code`,
  render: ({ params: { code = '' } }) => {
    const tenant = readCode(code)?.tenant ?? ''
    const query = /^\w{1,12}$/.test(tenant) ? `?tenantId=${tenant}` : ''
    const fragment = /^[\w-]{1,40}$/.test(code) ? code : ''
    return Promise.resolve({ status: 303, html: '', location: `/register/object${query}#${fragment}` })
  },
}
