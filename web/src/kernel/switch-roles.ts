import { exclusively, requestNewToken } from './renewal.ts'
import { forgetAll, useSession } from './session.ts'

/**
 * Goes on with these of the person's roles and departments, comma-joined; the server judges whether they are theirs.
 * @returns whether the session was changed; then the page has to start anew
 */
export const switchTo = async (choice: { readonly roleIds: string; readonly deptIds: string }): Promise<boolean> => {
  const headers = {
    ...(choice.roleIds === '' ? {} : { 'Role-Id': choice.roleIds }),
    ...(choice.deptIds === '' ? {} : { 'Dept-Id': choice.deptIds }),
  }
  const done = await exclusively(() => requestNewToken(useSession.getState().token, headers))
  // Tabs, menus and rights belong to the former roles.
  if (done) forgetAll()
  return done
}
